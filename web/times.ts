const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** How long ago, in as few characters as a list has room for; "" where the timestamp is none. */
export function ago(timestamp: string, now: number): string {
	const time = Date.parse(timestamp);
	if (Number.isNaN(time)) return "";
	const past = now - time;
	if (past < minute) return "now";
	if (past < hour) return `${Math.floor(past / minute)} min`;
	if (past < day) return `${Math.floor(past / hour)} h`;
	if (past < 7 * day) return `${Math.floor(past / day)} d`;
	return new Date(time).toISOString().slice(0, 10);
}

/** Date and time where the reader is; "" where the timestamp is none. */
export function fullTime(timestamp: string): string {
	const time = Date.parse(timestamp);
	return Number.isNaN(time) ? "" : new Date(time).toLocaleString();
}

import type { Client } from "./client.ts";
import type { Host } from "./host.ts";
import type { World } from "./machine.ts";
import type { Profile } from "./profile.ts";

/**
 * The worst moments, which chance alone would hit too seldom. On a log of its own a process stands still in the middle
 * of a request, while elsewhere the log grows, is ended and purged; or the purge comes early, which it must not heed.
 */
export async function ambush(
	client: Client,
	world: World,
	profile: Profile,
	hosts: readonly Host[],
): Promise<void> {
	const { random, scheduler, tally } = world;
	tally.add("ambush");
	const prey = client.newSubject();
	const victim = random.pick(hosts);
	const other = random.pick(hosts.length > 1 ? hosts.filter((host) => host !== victim) : hosts);
	const kind = random.pick([
		"append",
		"warm read",
		"cold read",
		"read of a large commit 0",
		"early purge",
	] as const);
	const large = kind === "read of a large commit 0";
	const cold = large || kind === "cold read";
	const grow = async (most: number, at: Host) => {
		for (let left = random.below(most + 1); left > 0; left--) {
			await client.pursue(prey, "append", prey.wishes.append(), at);
		}
	};
	await client.pursue(prey, "create", prey.wishes.create(large ? random.between(30, 90) : undefined), other);
	if (!large) await grow(2, cold ? other : victim);
	if (kind === "append" || kind === "warm read") await client.read(prey, false, victim);

	if (kind === "early purge") {
		await client.read(prey, false, victim);
		await grow(3, other);
		await client.end(prey, other);
		await client.clean(prey);
		await client.pursue(prey, "append", prey.wishes.append(), victim);
		return;
	}
	const requests = large ? random.pick([1, 2, 2, 2]) : cold ? random.below(5) : 0;
	victim.running?.machine.ambush(requests, profile.purgeAfter + random.spread(120_000, 3_600_000));
	const work =
		kind === "append"
			? client.pursue(prey, "append", prey.wishes.append(), victim)
			: client.read(prey, random.chance(0.5), victim);
	await scheduler.pause(random.between(100, 2000));
	if (!large) await grow(3, other);
	await client.end(prey, other);
	await scheduler.pause(profile.purgeAfter + random.spread(10, 60_000));
	await client.clean(prey);
	await work;
}

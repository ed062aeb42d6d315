import { render } from "preact";
import { App } from "./app.tsx";
import "./style/base.css";
import "./style/panes.css";
import "./style/tree.css";
import "./style/entry.css";
import "./style/dialog.css";

render(<App />, document.getElementById("viewer")!);

import { createRoot } from "react-dom/client";
import { App } from "./app";
import "./styles/base.css";
import "./styles/shell.css";
import "./styles/controls.css";
import "./styles/table.css";
import "./styles/pages.css";

const root = document.getElementById("root");
if (root !== null) createRoot(root).render(<App />);

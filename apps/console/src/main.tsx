import { createRoot } from "react-dom/client";
import { App } from "./app";
import "./styles/base.css";
import "./styles/shell.css";
import "./styles/controls.css";
import "./styles/table.css";
import "./styles/pages.css";
import { loadLanguage } from "./text/language";

const root = document.getElementById("root");
if (root !== null) void loadLanguage().then(() => createRoot(root).render(<App />));

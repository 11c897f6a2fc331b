import "./look/tokens.css";
import "./look/fonts.css";
import "./look/ground.css";
import { mount } from "svelte";
import App from "./App.svelte";

document.getElementById("old")?.remove();
mount(App, { target: document.getElementById("app")! });

import "./look/tokens.css";
import "./look/fonts.css";
import "./look/ground.css";
import { mount } from "svelte";
import App from "./App.svelte";

mount(App, { target: document.getElementById("app")! });

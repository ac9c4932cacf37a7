// Where the page starts.
import { mount } from "svelte";
import App from "./App.svelte";
import { studio } from "./state/studio.svelte";
import "./style.css";
import "uplot/dist/uPlot.min.css";

mount(App, { target: document.getElementById("app") as HTMLElement });

// For tests, and for the curious.
Object.assign(window, { impulsStudio: studio });

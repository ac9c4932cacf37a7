// Where the page starts.
import { mount } from "svelte";
import App from "./App.svelte";
import "./style.css";
import "uplot/dist/uPlot.min.css";

mount(App, { target: document.getElementById("app") as HTMLElement });

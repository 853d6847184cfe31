import { mount } from "svelte";
import App from "./App.svelte";
import "./lib/theme.css";

// A server that was renewed meanwhile has the parts of its page under other names: the page is fetched anew, once.
const RENEWED = "sandtable.renewed";
window.addEventListener("vite:preloadError", (event) => {
  if (sessionStorage.getItem(RENEWED)) return;
  sessionStorage.setItem(RENEWED, "1");
  event.preventDefault();
  location.reload();
});
window.addEventListener("load", () => setTimeout(() => sessionStorage.removeItem(RENEWED), 5000));

const target = document.getElementById("app");
if (!target) throw new Error("The page has no place for the app.");

export default mount(App, { target });

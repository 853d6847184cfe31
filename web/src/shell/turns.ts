/** It is my turn: the window's name and its sign say so, and the browser tells whoever looks elsewhere and wishes it. */

import { wishes } from "./prefs.svelte";

/** What stands above the window: a mark, or how many battles wait for me. */
export function entitle(name: string, waiting: number): void {
  document.title = waiting > 1 ? `(${waiting}) ${name}` : waiting ? `● ${name}` : name;
  const icon = document.querySelector<HTMLLinkElement>("link[rel=icon]");
  const wanted = waiting ? "/icon-turn.svg" : "/icon.svg";
  if (icon && icon.getAttribute("href") !== wanted) icon.setAttribute("href", wanted);
}

/** Whether this browser can tell of something at all. */
export const canTell = (): boolean => "Notification" in window && Notification.permission !== "denied";

/** Ask for notices, or stop them; only ever because the player pressed a button. */
export async function turnNotices(): Promise<void> {
  const on = !wishes.notices;
  wishes.notices = on && (Notification.permission === "granted" || (await Notification.requestPermission()) === "granted");
  wishes.keep();
}

/** Tell whoever looks elsewhere that a battle waits for him; a click brings him there. */
export function tellTurn(game: string, title: string): void {
  if (!wishes.notices || !document.hidden || !("Notification" in window) || Notification.permission !== "granted") return;
  try {
    const notice = new Notification("Your move", { body: title, tag: `sandtable ${game}`, icon: "/icon-turn.svg" });
    notice.addEventListener("click", () => {
      window.focus();
      if (!location.pathname.startsWith(`/game/${encodeURIComponent(game)}`)) location.assign(`/game/${encodeURIComponent(game)}`);
      notice.close();
    });
  } catch {
    // Some browsers of phones allow notices to service workers only: the sign of the window must do.
  }
}

/** Which page an address means, and how to go to another without loading anew. */

import { keyInFragment, keyOf } from "./keys";

export type Route =
  | { page: "lobby" }
  | { page: "table"; game: string; key: string | null; at: number | null; plays: boolean }
  | { page: "after"; game: string }
  | { page: "rules"; rule: string | null; ruleset: string | null; find: string }
  | { page: "nowhere" };

export function read(url: URL): Route {
  const [first = "", second = "", ...rest] = url.pathname.split("/").filter(Boolean).map(decodeURIComponent);
  if (first === "game" && second && rest.length === 1 && rest[0] === "after") return { page: "after", game: second };
  if (rest.length) return { page: "nowhere" };
  if (!first) return { page: "lobby" };
  if (first === "game" && second) {
    const given = keyInFragment(url.hash);
    const at = url.searchParams.get("at");
    const number = at === null || at === "" ? NaN : Number(at);
    return { page: "table", game: second, key: given ?? keyOf(second), at: Number.isInteger(number) ? number : null, plays: url.searchParams.has("play") };
  }
  if (first === "rules") {
    const { searchParams } = url;
    return {
      page: "rules",
      rule: second || null,
      ruleset: searchParams.get("ruleset"),
      find: searchParams.get("find") ?? "",
    };
  }
  return { page: "nowhere" };
}

class Router {
  route = $state.raw<Route>(read(new URL(location.href)));

  constructor() {
    const again = () => (this.route = read(new URL(location.href)));
    window.addEventListener("popstate", again);
    window.addEventListener("hashchange", again);
    // Links of this page are followed without loading it anew.
    document.addEventListener("click", (event) => {
      if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      const link = event.target instanceof Element ? event.target.closest("a") : null;
      if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
      if (link.pathname.startsWith("/api/")) return;
      event.preventDefault();
      this.go(link.href);
    });
  }

  go(address: string, { replace = false } = {}): void {
    const url = new URL(address, location.href);
    if (replace) history.replaceState(null, "", url);
    else history.pushState(null, "", url);
    this.route = read(url);
    if (!replace) window.scrollTo(0, 0);
  }
}

export const router = new Router();

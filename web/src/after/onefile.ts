/** A page as one file that can be sent to anybody: its words, its pictures and its looks. */

/** The rules of all style sheets that this page may read. */
function looks(): string {
  return [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules].map((rule) => rule.cssText)).join("\n");
}

/** The document with one element of this page in it, without what only works here. */
export function oneFile(element: HTMLElement, title: string): string {
  const copy = element.cloneNode(true) as HTMLElement;
  for (const here of copy.querySelectorAll("button, [data-here]")) here.remove();
  for (const link of copy.querySelectorAll("a")) link.replaceWith(...link.childNodes);
  const page = document.implementation.createHTMLDocument(title);
  page.documentElement.lang = document.documentElement.lang;
  const style = page.createElement("style");
  style.textContent = looks();
  const charset = page.createElement("meta");
  charset.setAttribute("charset", "utf-8");
  page.head.prepend(charset);
  page.head.append(style);
  page.body.append(page.adoptNode(copy));
  return `<!doctype html>\n${page.documentElement.outerHTML}`;
}

export function save(text: string, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/html" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

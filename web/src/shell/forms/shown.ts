/** In a row that is longer than the card, what is chosen is seen. */
export const shown = (on: boolean) => (button: HTMLElement): void => {
  if (on) button.scrollIntoView({ block: "nearest", inline: "nearest" });
};

/** What a document and its globals are like, a moment's view of its sessions aside: where nothing of it was changed, a test may begin in it. */
export class Untouched {
  private readonly marks = marksOf(document);
  private readonly globals = globalsOf(window);

  /** Still as it was when this was made. */
  get holds(): boolean {
    const globals = globalsOf(window);
    return (
      this.marks === marksOf(document) &&
      globals.size === this.globals.size &&
      [...globals].every(([name, value]) => Object.is(value, this.globals.get(name)))
    );
  }
}

function marksOf({ documentElement, head, body, adoptedStyleSheets }: Document): string {
  const marks = [documentElement, head, body].map(({ attributes, childElementCount }) => [
    ...[...attributes].map(({ name, value }) => [name, value]),
    childElementCount,
  ]);
  return JSON.stringify([...marks, adoptedStyleSheets.map(({ cssRules }) => cssRules.length)]);
}

/** What getters give is left out: the browser's own change all the time. */
function globalsOf(target: object): Map<string, unknown> {
  return new Map(Object.entries(Object.getOwnPropertyDescriptors(target)).map(([name, { value }]) => [name, value as unknown]));
}

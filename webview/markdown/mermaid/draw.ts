/** Draws one diagram from untrusted text, in a worker. */
import { sheet } from './globals';
import mermaid from 'mermaid';
import { drawingConfig } from './config';
import { type DiagramTheme, MAX_TEXT, type DiagramImage, type Refusal, type ToDrawer, TooLarge } from './messages';
import { writePicture } from './serialize';

let configured = '';

/** Returns the picture, or the reason why there is none. */
export async function draw(order: ToDrawer): Promise<DiagramImage | Refusal> {
  if (order.text.length > MAX_TEXT) {
    return { code: 'long' };
  }
  try {
    return await picture(order);
  } catch (error) {
    // A stack overflow means that the diagram is nested too deeply.
    if (error instanceof TooLarge || error instanceof RangeError || /stack overflow/i.test(String(error))) {
      return { code: 'large' };
    }
    return { code: 'mermaid', words: error instanceof Error ? error.message : String(error) };
  }
}

async function picture({ text, theme }: ToDrawer): Promise<DiagramImage> {
  configure(theme);
  sheet.clear();
  const { diagramType } = await mermaid.render('diagram', text, sheet.body as unknown as Element);
  // Takes the drawing's tree itself, not the markup that Mermaid makes of it.
  const svg = sheet.finished?.children.find((child) => child.localName === 'svg');
  if (!svg) {
    throw new Error('nothing was drawn');
  }
  // `currentColor` has no surrounding text to refer to in a picture.
  svg.declarations.set('color', theme.text, false);
  const said = (name: string) => svg.children.find((child) => child.localName === name)?.textContent.trim() ?? '';
  return { ...writePicture(svg), type: diagramType, title: said('title'), description: said('desc') };
}

function configure(theme: DiagramTheme): void {
  const key = JSON.stringify(theme);
  if (key !== configured) {
    mermaid.initialize(drawingConfig(theme));
  }
  configured = key;
}

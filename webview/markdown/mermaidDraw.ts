/** Draws one diagram, in a worker, from text that nobody vouches for. */
import { sheet } from './mermaidGlobals';
import mermaid from 'mermaid';
import { drawingConfig } from './mermaidConfig';
import { type DiagramTheme, MAX_TEXT, type Picture, type ToDrawer } from './mermaidMessages';
import { writePicture } from './mermaidWrite';

let configured = '';

/** Rejects with the reason when it cannot be drawn. */
export async function draw({ text, theme }: ToDrawer): Promise<Picture> {
  if (text.length > MAX_TEXT) throw new Error(`more than ${MAX_TEXT} characters`);
  configure(theme);
  sheet.clear();
  const { diagramType } = await mermaid.render('diagram', text, sheet.body as unknown as Element);
  // The drawing itself is taken, not the markup that Mermaid makes of it.
  const svg = sheet.finished?.children.find((child) => child.localName === 'svg');
  if (!svg) throw new Error('nothing was drawn');
  // What takes the colour of the text around it has none around it in a picture.
  svg.declarations.set('color', theme.text, false);
  const said = (name: string) => svg.children.find((child) => child.localName === name)?.textContent.trim() ?? '';
  return { ...writePicture(svg), type: diagramType, title: said('title'), description: said('desc') };
}

function configure(theme: DiagramTheme): void {
  const key = JSON.stringify(theme);
  if (key !== configured) mermaid.initialize(drawingConfig(theme));
  configured = key;
}

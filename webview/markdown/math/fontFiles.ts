/** KaTeX's fonts, each a file of its own. They are created from bytes, because the page's content security policy allows no font from an address. */
type File = () => Promise<{ readonly default: Uint8Array<ArrayBuffer> }>;

interface FontFace {
  readonly family: string;
  readonly file: File;
  readonly bold?: true;
  readonly italic?: true;
}

const FACES: Readonly<Record<string, FontFace>> = {
  'AMS-Regular': { family: 'AMS', file: () => import('font:katex/dist/fonts/KaTeX_AMS-Regular.woff2') },
  'Caligraphic-Bold': { family: 'Caligraphic', bold: true, file: () => import('font:katex/dist/fonts/KaTeX_Caligraphic-Bold.woff2') },
  'Caligraphic-Regular': { family: 'Caligraphic', file: () => import('font:katex/dist/fonts/KaTeX_Caligraphic-Regular.woff2') },
  'Fraktur-Bold': { family: 'Fraktur', bold: true, file: () => import('font:katex/dist/fonts/KaTeX_Fraktur-Bold.woff2') },
  'Fraktur-Regular': { family: 'Fraktur', file: () => import('font:katex/dist/fonts/KaTeX_Fraktur-Regular.woff2') },
  'Main-Bold': { family: 'Main', bold: true, file: () => import('font:katex/dist/fonts/KaTeX_Main-Bold.woff2') },
  'Main-BoldItalic': { family: 'Main', bold: true, italic: true, file: () => import('font:katex/dist/fonts/KaTeX_Main-BoldItalic.woff2') },
  'Main-Italic': { family: 'Main', italic: true, file: () => import('font:katex/dist/fonts/KaTeX_Main-Italic.woff2') },
  'Main-Regular': { family: 'Main', file: () => import('font:katex/dist/fonts/KaTeX_Main-Regular.woff2') },
  'Math-BoldItalic': { family: 'Math', bold: true, italic: true, file: () => import('font:katex/dist/fonts/KaTeX_Math-BoldItalic.woff2') },
  'Math-Italic': { family: 'Math', italic: true, file: () => import('font:katex/dist/fonts/KaTeX_Math-Italic.woff2') },
  'SansSerif-Bold': { family: 'SansSerif', bold: true, file: () => import('font:katex/dist/fonts/KaTeX_SansSerif-Bold.woff2') },
  'SansSerif-Italic': { family: 'SansSerif', italic: true, file: () => import('font:katex/dist/fonts/KaTeX_SansSerif-Italic.woff2') },
  'SansSerif-Regular': { family: 'SansSerif', file: () => import('font:katex/dist/fonts/KaTeX_SansSerif-Regular.woff2') },
  'Script-Regular': { family: 'Script', file: () => import('font:katex/dist/fonts/KaTeX_Script-Regular.woff2') },
  'Size1-Regular': { family: 'Size1', file: () => import('font:katex/dist/fonts/KaTeX_Size1-Regular.woff2') },
  'Size2-Regular': { family: 'Size2', file: () => import('font:katex/dist/fonts/KaTeX_Size2-Regular.woff2') },
  'Size3-Regular': { family: 'Size3', file: () => import('font:katex/dist/fonts/KaTeX_Size3-Regular.woff2') },
  'Size4-Regular': { family: 'Size4', file: () => import('font:katex/dist/fonts/KaTeX_Size4-Regular.woff2') },
  'Typewriter-Regular': { family: 'Typewriter', file: () => import('font:katex/dist/fonts/KaTeX_Typewriter-Regular.woff2') },
};

const loaded = new Map<string, Promise<void>>();

/** Resolves when these fonts can be used. A font that fails to load is skipped. */
export async function loadFonts(names: readonly string[]): Promise<void> {
  await Promise.all(
    names.map((name) => {
      const known = loaded.get(name);
      if (known) {
        return known;
      }
      const face = Object.hasOwn(FACES, name) ? FACES[name] : undefined;
      const loading = face ? load(face).catch(() => {}) : Promise.resolve();
      loaded.set(name, loading);
      return loading;
    }),
  );
}

async function load({ family, file, bold, italic }: FontFace): Promise<void> {
  const { default: bytes } = await file();
  const font = new FontFace(`KaTeX_${family}`, bytes, { weight: bold ? '700' : '400', style: italic ? 'italic' : 'normal' });
  document.fonts.add(await font.load());
}

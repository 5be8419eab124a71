/** The harm that a hostile text has done to the page: `look` and `harmDone` run in the page and inspect all of it. */
import { View } from './view';

/** The page before the hostile text; {@link harmDone} compares with it. */
export interface Before {
  readonly sentinel: string;
  readonly page: string;
}

/** Records the layout and style of the page and its first entry. */
export function look(): Before {
  const described = (selector: string): string => {
    const element = document.querySelector(selector);
    if (!element) {
      return `${selector} is not there`;
    }
    const { color, backgroundColor, backgroundImage, fontSize, display, visibility, position, opacity, transform, filter, zIndex } =
      getComputedStyle(element);
    const { left, width } = element.getBoundingClientRect();
    return JSON.stringify([
      selector,
      left,
      width,
      color,
      backgroundColor,
      backgroundImage,
      fontSize,
      display,
      visibility,
      position,
      opacity,
      transform,
      filter,
      zIndex,
    ]);
  };
  const sentinel = document.querySelector('[data-slot="agent:sentinel"]');
  return {
    sentinel: `${described('[data-slot="agent:sentinel"] .entry')} ${described('[data-slot="agent:sentinel"] p')} ${sentinel?.textContent} ${sentinel?.getBoundingClientRect().height}`,
    page: ['body', '.app', '.header', '.scroller', '.log', '.dock', '.composer', '.composer-text'].map(described).join('\n'),
  };
}

/** One line for each deviation from the expected state. */
export function harmDone(before: Before): string[] {
  const found: string[] = [];
  const app = document.querySelector('.app');
  const log = document.querySelector('.log');
  if (!app || !log) {
    return ['the page is gone'];
  }
  if ('hacked' in window) {
    found.push('something ran');
  }
  const now = look();
  if (now.sentinel !== before.sentinel) {
    found.push(`the entry before it looks different: ${now.sentinel}`);
  }
  if (now.page !== before.page) {
    found.push(`the page looks different: ${now.page}`);
  }
  if (document.querySelector.name !== 'querySelector' || document.body.tagName !== 'BODY' || !('stage' in window.playground)) {
    found.push('a name of the page means something else');
  }
  if (Object.getOwnPropertyNames(Object.prototype).length !== 12) {
    found.push('every object has something new');
  }

  const made =
    'script, iframe, frame, object, embed, style, link, meta, base, template, svg svg, math script, foreignObject, video, marquee, dialog, portal, noscript, source, form:not(.composer, .elicitation-form, .find form), [srcdoc], [action], [formaction], [srcset], [ping], [background], [is], a[href], area';
  const bidi = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
  for (const element of app.querySelectorAll('*')) {
    const tag = () => element.outerHTML.slice(0, 120);
    if (element.matches(made)) {
      found.push(`made: ${tag()}`);
    }
    if (element.matches('[href]') && !/^#/.test(element.getAttribute('href')!)) {
      found.push(`an address: ${tag()}`);
    }
    if (element instanceof HTMLImageElement && !/^(data:image\/(png|jpeg|gif|webp|avif|bmp);base64,|blob:)/.test(element.src)) {
      found.push(`a picture: ${tag()}`);
    }
    for (const { name, value } of element.attributes) {
      if (/^on/i.test(name)) {
        found.push(`a script in an attribute: ${tag()}`);
      }
      if (name === 'style' && /url\(|position|z-index|expression/i.test(value)) {
        found.push(`a style: ${tag()}`);
      }
      if (/^(title|alt|aria-label|placeholder)$/.test(name) && bidi.test(value)) {
        found.push(`hidden direction in ${name}: ${tag()}`);
      }
    }
  }
  if (bidi.test(app.textContent)) {
    found.push('hidden direction in the text');
  }

  const { left, right } = log.getBoundingClientRect();
  for (const slot of log.querySelectorAll('.slot')) {
    const { top, bottom } = slot.getBoundingClientRect();
    outside(slot, left, top, right, bottom, found);
  }
  if (document.documentElement.scrollWidth > innerWidth) {
    found.push(`the page is ${document.documentElement.scrollWidth} wide`);
  }
  return [...new Set(found)].slice(0, 20);

  /** Adds the elements that reach out of the entry without being clipped. */
  function outside(element: Element, l: number, t: number, r: number, b: number, into: string[]): void {
    for (const child of element.children) {
      // Blocks far from the screen are not rendered, and their containers only have an estimated height.
      if (!child.checkVisibility({ contentVisibilityAuto: true })) {
        continue;
      }
      const style = getComputedStyle(child);
      // Our own elements, which may reach out.
      if (child.matches('.sr-only, .message-actions, .option-popup') || style.display === 'none' || child instanceof SVGElement) {
        continue;
      }
      // Many accents on one letter, or many Hangul letters in one syllable, cannot be broken into lines: they are clipped, at the latest by
      // their entry.
      if (/\p{M}{40}|[\u1100-\u11ff]{40}/u.test(child.textContent) && getComputedStyle(child.closest('.slot')!).overflow === 'clip') {
        continue;
      }
      if (style.position === 'fixed') {
        into.push(`fixed: ${child.outerHTML.slice(0, 120)}`);
      }
      const box = child.getBoundingClientRect();
      if (box.width > 0 && box.height > 0 && (box.left < l - 1 || box.right > r + 1 || box.top < t - 1 || box.bottom > b + 1)) {
        into.push(
          `outside its entry: ${[box.left, box.top, box.right, box.bottom].map(Math.round).join(' ')} of ${[l, t, r, b].map(Math.round).join(' ')} ${child.outerHTML.slice(0, 120)}`,
        );
      }
      if (style.overflowX === 'visible' && style.overflowY === 'visible' && child.tagName !== 'SELECT') {
        outside(child, l, t, r, b, into);
      }
    }
  }
}

/** A page that `look` and `harmDone` can check, and whose host only records messages. `height` in px. */
export async function openWatched(height: number): Promise<View> {
  const view = await View.open('', { viewport: { width: 900, height } });
  await view.tame();
  await view.page.evaluate(`window.look = ${look}; window.harmDone = ${harmDone}`);
  return view;
}

/** axe in the page: its rules of WCAG 2.2 A and AA, and what it holds to be good practice. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type * as axe from 'axe-core';
import type { View } from './view';
import { root, whileSeen } from '../../support/browser';

const SOURCE = readFileSync(path.join(root, 'node_modules/axe-core/axe.min.js'), 'utf8');

const LEFT_OUT = {
  // An answer's headings are the agent's: where it starts and what it skips is not ours to change.
  'heading-order': { enabled: false },
  // An experiment of axe's. It takes for a name what is a description (the second line of a menu's item) or a sign ("ab" for whole words).
  'label-content-name-mismatch': { enabled: false },
};

/** The rules that a theme can break: its colours, and what its borders leave of a button. */
const OF_THEMES = ['color-contrast', 'link-in-text-block', 'target-size'];

/** {@link broken} in one of several themes of the same page: only in the dark one, with which they begin, all rules are asked. */
export function brokenIn(theme: string, view: View): Promise<string[]> {
  return broken(view, theme === 'dark' ? undefined : OF_THEMES);
}

/** The rules that the page breaks, a line for each element: rule, how bad it is, which element, why. */
export async function broken(view: View, only?: readonly string[]): Promise<string[]> {
  // Evaluated from outside: the page's policy, which lets no script in, stays as it is.
  if (!(await view.page.evaluate(() => 'axe' in window))) {
    await view.page.evaluate(SOURCE);
  }
  // It takes what has no opacity for hidden.
  const violations = await whileSeen(view.page, () =>
    view.page.evaluate(
      async ([only, rules]) => {
        const { axe: checker } = window as unknown as { axe: typeof axe };
        const options: axe.RunOptions = {
          resultTypes: ['violations'],
          rules,
          runOnly: only
            ? { type: 'rule', values: [...only] }
            : { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] },
        };
        const results = await checker.run(document, options);
        return results.violations.flatMap(({ id, impact, nodes }) =>
          nodes.map(({ target, failureSummary, html }) => ({ id, impact, target: target.join(' '), html, why: failureSummary ?? '' })),
        );
      },
      [only, LEFT_OUT] as const,
    ),
  );
  return violations.map(
    ({ id, impact, target, html, why }) =>
      `${id} (${impact}): ${target} ${html.slice(0, 120)} – ${why.split('\n').slice(1).join('; ').trim()}`,
  );
}

/** Runs axe in the page: the rules of WCAG 2.2 A and AA, and axe's best practices. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type * as axe from 'axe-core';
import type { View } from './view';
import { root, whileSeen } from '../../support/browser';

const SOURCE = readFileSync(path.join(root, 'node_modules/axe-core/axe.min.js'), 'utf8');

const LEFT_OUT = {
  // The headings of an answer are the agent's; their start level and gaps are not ours to change.
  'heading-order': { enabled: false },
  // An experimental rule of axe. It mistakes a description (the second line of a menu item) or a sign ("ab" for whole words) for a name.
  'label-content-name-mismatch': { enabled: false },
};

/** The rules that a theme can break: its colours, and the size that its borders leave for a button. */
const OF_THEMES = ['color-contrast', 'link-in-text-block', 'target-size'];

/** {@link broken} in one of several themes of the same page. All rules are checked only in the dark theme, which comes first. */
export function brokenIn(theme: string, view: View): Promise<string[]> {
  return broken(view, theme === 'dark' ? undefined : OF_THEMES);
}

/** The rules that the page breaks, one line per element: rule, impact, element and reason. */
export async function broken(view: View, only?: readonly string[]): Promise<string[]> {
  // Evaluated by Playwright, so that the page's content security policy, which blocks scripts, stays unchanged.
  if (!(await view.page.evaluate(() => 'axe' in window))) {
    await view.page.evaluate(SOURCE);
  }
  // Axe treats elements without opacity as hidden.
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

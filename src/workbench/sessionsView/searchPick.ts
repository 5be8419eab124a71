/** **ACP: Search Sessions…**: searches titles and messages of all stored sessions. A result opens at its entry. */
import * as vscode from 'vscode';
import type { KeptSessionHit, SessionCatalog } from '../../session/journal/sessionCatalog';
import { t } from '../shared/l10n';
import { StableRows } from '../shared/stableRows';
import type { UserActivity } from '../shared/userActivity';
import { type Item, separator, window } from '../shared/window';
import { hitRow, SearchRun } from '../../application/sessionsView/searchRun';

export interface SearchDependencies {
  readonly kept: Pick<SessionCatalog, 'search'>;
  readonly activity: Pick<UserActivity, 'during'>;
  /** @param text the searched text */
  open(hit: KeptSessionHit, text: string): Promise<void>;
}

type Row = Item & { readonly hit?: KeptSessionHit };

/** The delay in ms between the last key and the search. */
const TYPING_MS = 200;
/** The time in ms in which results are shown together, because VS Code draws the whole list each time. */
const SHOW_MS = 100;
/** The number of rows that VS Code draws without delay. */
const MAX_HITS = 300;

export async function searchSessions(deps: SearchDependencies): Promise<void> {
  const found = await deps.activity.during(() => pickHit(deps));
  if (found) {
    await deps.open(found.hit, found.text);
  }
}

function pickHit({ kept }: SearchDependencies): Promise<{ readonly hit: KeptSessionHit; readonly text: string } | undefined> {
  return new Promise((resolve) => {
    const pick = window.createQuickPick<Row>();
    const rows = new StableRows<Row>(pick, separator, (row) => row.hit ?? row.label);
    let text = '';
    let typing: NodeJS.Timeout | undefined;
    let showing: NodeJS.Timeout | undefined;
    let run: SearchRun | undefined;
    const language = vscode.env.language;
    const show = (): void => {
      clearTimeout(showing);
      showing = undefined;
      const { hits = [], done = true, more = false } = run ?? {};
      const found: Row[] = hits.map((hit) => ({ ...hitRow(hit, Date.now(), language, t), alwaysShow: true, hit }));
      const none: Row[] = done && text !== '' && found.length === 0 ? [{ label: t('No results'), alwaysShow: true }] : [];
      const last: Row[] = more ? [{ label: t('There are more results. Search for more of the text.'), alwaysShow: true }] : [];
      const active = rows.rowOf(pick.activeItems[0])?.hit;
      rows.show([...found, ...none, ...last]);
      const again = active && pick.items.find((row) => row.hit === active);
      if (again) {
        pick.activeItems = [again];
      }
      pick.busy = !done;
    };
    const search = (): void => {
      run?.stop();
      run =
        text === ''
          ? undefined
          : new SearchRun(kept, text, MAX_HITS, () => {
              showing ??= setTimeout(show, SHOW_MS);
            });
      pick.busy = run !== undefined;
      if (!run) {
        show();
      }
    };
    pick.title = t('Search Sessions');
    pick.placeholder = t('Search titles and messages of all sessions');
    // VS Code highlights its own matches. The rows are shown whether they match or not.
    pick.matchOnDetail = true;
    pick.keepScrollPosition = true;
    pick.onDidChangeValue((value) => {
      text = value.trim();
      clearTimeout(typing);
      typing = setTimeout(search, TYPING_MS);
    });
    pick.onDidAccept(() => {
      const hit = rows.rowOf(pick.selectedItems[0])?.hit;
      if (hit) {
        resolve({ hit, text });
        pick.hide();
      }
    });
    pick.onDidHide(() => {
      clearTimeout(typing);
      clearTimeout(showing);
      run?.stop();
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}

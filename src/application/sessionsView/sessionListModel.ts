/**
 * The content of the sessions view, kept up to date: the sessions of this window, pages of those on the disk, and the agents' own lists. Reads
 * only the sessions that are shown, and checks for changes a few times a second at most, however many sessions stream. Independent of VS Code.
 */
import { type AgentIdentity, agentOf, agentWithId } from '../../core/agents/agentIds';
import type { Clock } from '../../core/platform/clock';
import type { Disposable } from '../../core/platform/disposable';
import type { JournalSummary } from '../../session/journal/journalSummary';
import type { SessionCatalog, KeptSessionsQuery } from '../../session/journal/sessionCatalog';
import { NO_MARKS, type SessionMarks } from '../../session/journal/sessionMarks';
import { DisposableStore, toDisposable } from '../../util/disposable';
import { Listeners } from '../../core/platform/listeners';
import { isSameFolder } from '../window/workspacePaths';
import type { AgentLists } from './agentLists';
import { agentFacts, keptFacts, LiveOutcomes, type LiveSession, liveFacts, type SessionFacts, withRemoteStatus } from './sessionFacts';
import {
  ARCHIVED_GROUP,
  changedRows,
  ELSEWHERE_GROUP,
  type GroupBy,
  ROOT,
  type Section,
  type SectionFacts,
  type Tree,
  treeOf,
  type TreeNode,
} from './tree';

export interface SessionListModelDependencies {
  readonly clock: Clock;
  readonly sessions: {
    readonly all: readonly LiveSession[];
    createdAt(key: string): number | undefined;
    onChange(listener: () => void): Disposable;
  };
  readonly kept: SessionCatalog;
  /** The marks of live sessions. Each session's marks are loaded once. */
  readonly marks: { of(key: string): SessionMarks | undefined; onDidChange(listener: () => void): Disposable };
  readonly agents: Pick<AgentLists, 'rows' | 'sessions' | 'loadRunning' | 'onDidChange' | 'statusOf'>;
  /** The agents that the user can start, for the names in rows of stored sessions. */
  knownAgents(): readonly AgentIdentity[];
  /** True while a surface shows the session. A session without a message is listed only then. */
  isShown(key: string): boolean;
  /** True while the user sees the session, so that its results are seen as they come. */
  isWatched(key: string): boolean;
  /** The absolute paths of the workspace's folders. */
  folders(): readonly string[];
  groupBy(): GroupBy;
  /** Returns the title for an agent's session that has none. */
  untitled(sessionId: string): string;
  /** Returns everything visible of a row now, for comparison. */
  drawn(node: TreeNode): string;
}

/** The number of sessions read at once. */
export const PAGE = 50;
/** The time in ms in which changes are drawn together. */
export const REFRESH_MS = 250;
/** The time in ms in which changes on the disk are read together. Each session that streams changes its files there. */
export const READ_MS = 2000;
/** The interval in ms for drawing relative times such as "5m" again. */
const MINUTE_MS = 60_000;
/** The interval in ms for checking whether another window still has its sessions open. Closing a session changes no watched file. */
export const LOOK_MS = 10_000;

interface Page {
  readonly summaries: readonly JournalSummary[];
  readonly total: number;
  readonly next?: string;
}

const EMPTY: Page = { summaries: [], total: 0 };
const NO_TREE: Tree = { nodes: new Map(), children: new Map() };

export class SessionListModel implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly listeners = new Listeners<[ids: readonly string[]]>();
  private readonly outcomes = new LiveOutcomes();
  private readonly pages = new Map<Section, Page>();
  /** The keys of listed sessions that are open in another window. */
  private openElsewhere: ReadonlySet<string> = new Set();
  private tree = NO_TREE;
  /** The rows as they were last drawn, by id. Their times grow old although their facts stay the same. */
  private shown: ReadonlyMap<string, string> = new Map();
  private visible = false;
  private stale = false;
  private refreshing: Disposable | undefined;
  private reading: Disposable | undefined;
  private looking: Disposable | undefined;
  private minute: Disposable | undefined;
  private loading: Promise<void> = Promise.resolve();

  constructor(private readonly deps: SessionListModelDependencies) {
    const { sessions, kept, marks, agents } = deps;
    this.owned.add(sessions.onChange(() => this.changed()));
    this.owned.add(marks.onDidChange(() => this.changed()));
    this.owned.add(agents.onDidChange(() => this.changed()));
    this.owned.add(kept.onDidChange(() => this.diskChanged()));
    this.owned.add(
      toDisposable(() => {
        this.refreshing?.dispose();
        this.reading?.dispose();
        this.looking?.dispose();
        this.minute?.dispose();
        this.listeners.clear();
      }),
    );
  }

  dispose(): void {
    this.owned.dispose();
  }

  /** Calls `listener` with the ids of the rows to draw again, including their children. `['']` is the whole tree. */
  onDidChange(listener: (ids: readonly string[]) => void): Disposable {
    return this.listeners.add(listener);
  }

  /** Sets the view's visibility. A hidden view reads nothing and has no timer. */
  setVisible(visible: boolean): void {
    const isNew = visible && !this.visible;
    this.visible = visible;
    if (!visible) {
      this.stale ||= this.refreshing !== undefined;
      this.refreshing?.dispose();
      this.minute?.dispose();
      this.refreshing = this.minute = undefined;
    } else if (isNew) {
      this.changed();
      this.tick();
    }
    if (visible && this.stale) {
      this.stale = false;
      void this.reload();
    }
  }

  /** Draws the rows again each minute, because their relative times change. */
  private tick(): void {
    this.minute?.dispose();
    this.minute = this.deps.clock.after(MINUTE_MS, () => {
      this.changed();
      this.tick();
    });
  }

  node(id: string): TreeNode | undefined {
    return this.tree.nodes.get(id);
  }

  /** Returns the id of a row's group, or undefined for a row at the root or a row that is not shown. */
  parentOf(id: string): string | undefined {
    for (const [parent, inside] of this.tree.children) {
      if (inside.includes(id)) {
        return parent === ROOT ? undefined : parent;
      }
    }
    return undefined;
  }

  /** Returns the ids of a row's children; '' is the root. Reads the necessary sessions. */
  async children(id: string): Promise<readonly string[]> {
    const section = sectionOf(id);
    const reads = section && !(this.pages.get(section)?.summaries.length ?? 0);
    if (reads) {
      await this.read(section, PAGE);
    }
    if (id === ROOT) {
      // The other groups are collapsed and show only their count.
      await Promise.all([this.countOnce('elsewhere'), this.countOnce('archived')]);
    }
    // Otherwise the tree stays as last reported to VS Code. A newer tree here would hide changes in other groups from the next comparison.
    if (this.tree === NO_TREE) {
      this.tree = this.build();
      this.shown = this.drawing();
    } else if (reads) {
      this.update();
    }
    return this.tree.children.get(id) ?? [];
  }

  async showMore(section: Section): Promise<void> {
    const page = this.pages.get(section) ?? EMPTY;
    const next = await this.deps.kept.list({
      ...this.query(section),
      limit: PAGE,
      ...(page.next !== undefined && { after: page.next }),
    });
    const known = new Set(page.summaries.map(({ key }) => key));
    this.pages.set(section, { ...next, summaries: [...page.summaries, ...next.summaries.filter(({ key }) => !known.has(key))] });
    await this.lookElsewhere();
    this.update();
  }

  /** Reads the listed sessions again, and draws the changes. */
  async reload(): Promise<void> {
    this.loading = this.loading.then(async () => {
      await Promise.all(
        [...this.pages].map(([section, { summaries }]) =>
          section === 'here' || summaries.length > 0 ? this.read(section, Math.max(summaries.length, PAGE)) : this.count(section),
        ),
      );
      this.update();
    });
    await this.loading;
  }

  /** Called for all other changes that affect the rows: the time, a setting, the workspace's folders. */
  changed(): void {
    if (!this.visible) {
      this.stale = true;
      return;
    }
    this.refreshing ??= this.deps.clock.after(REFRESH_MS, () => {
      this.refreshing = undefined;
      // Not done for each event: the list of agents is read from the settings, and ten streaming sessions send hundreds of events a second.
      this.deps.agents.loadRunning();
      this.update();
    });
  }

  /** Draws all rows again after a change that affects the whole list. */
  async reset(): Promise<void> {
    this.pages.clear();
    this.tree = NO_TREE;
    this.listeners.call([ROOT]);
  }

  private diskChanged(): void {
    if (!this.visible) {
      this.stale = true;
      return;
    }
    this.reading ??= this.deps.clock.after(READ_MS, () => {
      this.reading = undefined;
      void this.reload();
    });
  }

  private update(): void {
    if (this.owned.disposed || this.tree === NO_TREE) {
      return;
    }
    const before = this.tree;
    this.tree = this.build();
    const [old, now] = [this.shown, this.drawing()];
    this.shown = now;
    const ids = changedRows(before, this.tree, (_, { id }) => old.get(id) === now.get(id));
    if (ids.length > 0) {
      this.listeners.call(ids);
    }
  }

  private drawing(): ReadonlyMap<string, string> {
    return new Map([...this.tree.nodes.values()].map((node) => [node.id, this.deps.drawn(node)]));
  }

  private build(): Tree {
    const { deps } = this;
    const live = deps.sessions.all;
    const liveKeys = new Set(live.map(({ key }) => key));
    this.outcomes.keepOnly(liveKeys);
    const stored = new Map([...this.pages.values()].flatMap(({ summaries }) => summaries.map((each) => [each.key, each] as const)));
    const everyLive = live.map((session) => this.liveRow(session, stored.get(session.key)));
    // A closed chat with a draft has stored it, so the stored list contains the session.
    const isListed = (id: string): boolean => stored.has(id) || deps.isShown(id);
    const liveRows = everyLive.filter(({ id, isUnused, pinned, archived }) => !isUnused || pinned || archived || isListed(id));
    const known = deps.knownAgents();
    const section = (name: Section): SectionFacts & { readonly sessions: SessionFacts[] } => {
      const { summaries, total, next } = this.pages.get(name) ?? EMPTY;
      const others = summaries.filter(({ key }) => !liveKeys.has(key));
      const left = next === undefined && summaries.length > 0 ? 0 : Math.max(0, total - summaries.length);
      return {
        sessions: others.map((summary) =>
          this.withStatus(keptFacts(summary, this.openElsewhere.has(summary.key), agentOf(known, summary))),
        ),
        // The sessions that are live in this window are counted with the live ones.
        total: total - (summaries.length - others.length),
        left,
      };
    };
    const [here, elsewhere, archived] = [section('here'), section('elsewhere'), section('archived')];
    const everyRow = [...everyLive, ...here.sessions, ...elsewhere.sessions, ...archived.sessions];
    const recorded = new Set(everyRow.map(({ agentId, sessionId }) => JSON.stringify([agentId, sessionId])));
    const agentRows = deps.agents
      .sessions()
      .filter(({ agentId, listed }) => !recorded.has(JSON.stringify([agentId, listed.sessionId])))
      .map(({ agentId, listed }) =>
        this.withStatus(
          agentFacts(agentWithId(known, agentId) ?? { agentId, agentName: agentId }, listed, deps.untitled(listed.sessionId)),
        ),
      );
    const folders = deps.folders();
    const isHere = ({ cwd }: SessionFacts): boolean => folders.length === 0 || folders.some((folder) => isSameFolder(folder, cwd));
    return treeOf({
      groupBy: deps.groupBy(),
      folders,
      // A session that is open in this window is listed under this workspace, whatever its folder.
      here: { ...here, sessions: [...liveRows.filter(({ archived }) => !archived), ...here.sessions, ...agentRows.filter(isHere)] },
      elsewhere: { ...elsewhere, sessions: [...elsewhere.sessions, ...agentRows.filter((row) => !isHere(row))] },
      archived: { ...archived, sessions: [...archived.sessions, ...liveRows.filter((row) => row.archived)] },
      agents: deps.agents.rows(),
    });
  }

  private withStatus(facts: SessionFacts): SessionFacts {
    const { agentId, sessionId } = facts;
    return withRemoteStatus(facts, sessionId === undefined ? undefined : this.deps.agents.statusOf(agentId, sessionId));
  }

  private liveRow(session: LiveSession, kept: JournalSummary | undefined): SessionFacts {
    const { key } = session;
    const createdAt = this.deps.sessions.createdAt(key) ?? kept?.createdAt ?? 0;
    const marks = this.deps.marks.of(key) ?? kept?.marks ?? NO_MARKS;
    return liveFacts(session, marks, this.outcomes.of(session), createdAt, this.deps.isWatched(key));
  }

  private query(section: Section): Omit<KeptSessionsQuery, 'limit'> {
    const folders = this.deps.folders();
    switch (section) {
      case 'archived':
        return { archived: true };
      case 'here':
        return { archived: false, ...(folders.length > 0 && { folders }) };
      case 'elsewhere':
        return { archived: false, folders, elsewhere: true };
    }
  }

  private async read(section: Section, limit: number): Promise<void> {
    this.pages.set(section, this.isNone(section) ? EMPTY : await this.deps.kept.list({ ...this.query(section), limit }));
    await this.lookElsewhere();
  }

  private async countOnce(section: Section): Promise<void> {
    if (!this.pages.has(section)) {
      await this.count(section);
    }
  }

  /** True for the group of other folders in a window without a workspace, where all sessions belong to the window. */
  private isNone(section: Section): boolean {
    return section === 'elsewhere' && this.deps.folders().length === 0;
  }

  private async count(section: Section): Promise<void> {
    const { total } = this.isNone(section) ? EMPTY : await this.deps.kept.list({ ...this.query(section), limit: 0 });
    this.pages.set(section, { summaries: [], total });
  }

  /** Finds the sessions that are open in another window. Resting sessions count too, because their agent runs there. */
  private async lookElsewhere(): Promise<void> {
    const { clock, kept, sessions } = this.deps;
    const live = new Set(sessions.all.map(({ key }) => key));
    const keys = [...this.pages.values()]
      .flatMap(({ summaries }) => summaries)
      .map(({ key }) => key)
      .filter((key) => !live.has(key));
    const open = await Promise.all(keys.map((key) => kept.isLiveElsewhere(key)));
    this.openElsewhere = new Set(keys.filter((_, index) => open[index]));
    this.looking?.dispose();
    const isNeeded = this.openElsewhere.size > 0 && !this.owned.disposed;
    this.looking = isNeeded ? clock.after(LOOK_MS, () => this.lookAgain()) : undefined;
  }

  private lookAgain(): void {
    if (this.visible) {
      void this.lookElsewhere().then(() => this.update());
    } else {
      this.stale = true;
    }
  }
}

function sectionOf(id: string): Section | undefined {
  return id === ROOT ? 'here' : id === ELSEWHERE_GROUP ? 'elsewhere' : id === ARCHIVED_GROUP ? 'archived' : undefined;
}

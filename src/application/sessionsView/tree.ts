/** The rows of the sessions view: the groups, their content and its order. Pure. */
import path from 'node:path';
import { isSameFolder } from '../window/workspacePaths';
import { type SessionFacts, type RowStatus, sharedTitles } from './sessionFacts';

/** The values of `acpHost.sessions.groupBy`. */
export type GroupBy = 'state' | 'folder' | 'agent';

/** A part of the list that is read from the disk in pages. */
export type Section = 'here' | 'elsewhere' | 'archived';

export type GroupNode = {
  readonly kind: 'group';
  readonly id: string;
  /** The facts that the group's label is made of. */
  readonly of:
    | { readonly type: 'folder'; readonly folder: string }
    | { readonly type: 'agent'; readonly agentId: string; readonly agentName: string }
    /** The last group: sessions of other folders, rows that load an agent's own list, or both. */
    | { readonly type: 'elsewhere'; readonly hasSessions: boolean; readonly hasAgents: boolean }
    | { readonly type: 'active' | 'recent' | 'archived' };
  /** The number of sessions in the group, including those that are not read yet. */
  readonly count: number;
  readonly collapsed: boolean;
};
export type SessionNode = { readonly kind: 'session'; readonly id: string; readonly facts: SessionFacts };
export type TreeNode =
  | GroupNode
  | SessionNode
  /** A row that reads the next page. */
  | { readonly kind: 'more'; readonly id: string; readonly section: Section; readonly left: number }
  /** A row that requests an agent's own list, or the next page of it. */
  | { readonly kind: 'agent'; readonly id: string; readonly agentId: string; readonly agentName: string; readonly state: AgentListState };

/** `idle`: not requested yet. `more`: the agent has further sessions. `failed`: the agent did not answer with a list. */
export type AgentListState = 'idle' | 'loading' | 'more' | 'failed';

export interface SectionFacts {
  readonly sessions: readonly SessionFacts[];
  /** The number of sessions on the disk, read or not. */
  readonly total: number;
  /** The number of sessions that are not read yet. */
  readonly left: number;
}

export interface TreeFacts {
  readonly groupBy: GroupBy;
  /** The workspace's folders. */
  readonly folders: readonly string[];
  readonly here: SectionFacts;
  readonly elsewhere: SectionFacts;
  readonly archived: SectionFacts;
  /** The agents with a list of their own that is not completely loaded. */
  readonly agents: readonly { readonly agentId: string; readonly agentName: string; readonly state: AgentListState }[];
}

export interface Tree {
  readonly nodes: ReadonlyMap<string, TreeNode>;
  /** The ids of each group's rows, by the group's id; '' is the root. */
  readonly children: ReadonlyMap<string, readonly string[]>;
}

export const ROOT = '';
export const ELSEWHERE_GROUP = 'group elsewhere';
export const ARCHIVED_GROUP = 'group archived';

const ACTIVE_GROUP = 'group active';
const RECENT_GROUP = 'group recent';

/**
 * The statuses of the active group: the agent works or waits for the user. Opening a session never changes them, so no row moves while the user
 * reads.
 */
const ACTIVE: ReadonlySet<RowStatus> = new Set<RowStatus>(['needsYou', 'working']);

/** Returns the rows of the view. Returns none when there is no session, so that the view's welcome text shows. */
export function treeOf({ groupBy, folders, here, elsewhere, archived, agents }: TreeFacts): Tree {
  const nodes = new Map<string, TreeNode>();
  const children = new Map<string, readonly string[]>();
  const root: string[] = [];
  const shared = groupBy === 'agent' ? new Set() : sharedTitles([here, elsewhere, archived].flatMap(({ sessions }) => sessions));
  const add = (to: string[], node: TreeNode): void => {
    nodes.set(node.id, node);
    to.push(node.id);
  };
  const addGroup = (
    of: GroupNode['of'],
    id: string,
    section: SectionFacts,
    collapsed: boolean,
    more?: Section,
    lists: TreeFacts['agents'] = [],
  ): void => {
    const count = Math.max(section.total, section.sessions.length);
    if (count === 0 && lists.length === 0) {
      return;
    }
    add(root, { kind: 'group', id, of, count, collapsed });
    const inside: string[] = [];
    for (const facts of inOrder(section.sessions)) {
      add(inside, { kind: 'session', id: facts.id, facts: shared.has(facts.title) ? { ...facts, namesAgent: true } : facts });
    }
    if (more && section.left > 0) {
      add(inside, { kind: 'more', id: `more ${more}`, section: more, left: section.left });
    }
    for (const { agentId, agentName, state } of lists) {
      add(inside, { kind: 'agent', id: `agent list ${agentId}`, agentId, agentName, state });
    }
    children.set(id, inside);
  };
  if (here.sessions.length + here.total + elsewhere.total + elsewhere.sessions.length + archived.total === 0) {
    return { nodes, children: new Map([[ROOT, []]]) };
  }
  if (groupBy === 'state') {
    const isActive = ({ status }: SessionFacts): boolean => ACTIVE.has(status);
    const recent = here.sessions.filter((facts) => !isActive(facts));
    addGroup({ type: 'active' }, ACTIVE_GROUP, { sessions: here.sessions.filter(isActive), total: 0, left: 0 }, false);
    addGroup({ type: 'recent' }, RECENT_GROUP, { sessions: recent, total: recent.length + here.left, left: here.left }, false, 'here');
  } else {
    for (const { of, id, sessions } of groupsOf(here.sessions, groupBy, folders)) {
      addGroup(of, id, { sessions, total: 0, left: 0 }, false);
    }
    if (here.left > 0) {
      add(root, { kind: 'more', id: 'more here', section: 'here', left: here.left });
    }
  }
  addGroup({ type: 'archived' }, ARCHIVED_GROUP, archived, true, 'archived');
  const hasSessions = elsewhere.total + elsewhere.sessions.length > 0;
  addGroup({ type: 'elsewhere', hasSessions, hasAgents: agents.length > 0 }, ELSEWHERE_GROUP, elsewhere, true, 'elsewhere', agents);
  children.set(ROOT, root);
  return { nodes, children };
}

interface Group {
  readonly of: GroupNode['of'];
  readonly id: string;
  readonly sessions: SessionFacts[];
}

function groupsOf(sessions: readonly SessionFacts[], groupBy: 'folder' | 'agent', folders: readonly string[]): Group[] {
  const groups = new Map<string, Group>();
  const put = (of: GroupNode['of'], id: string, facts: SessionFacts): void => {
    const group = groups.get(id) ?? { of, id, sessions: [] };
    groups.set(id, group);
    group.sessions.push(facts);
  };
  // Groups are sorted by their newest session. The workspace's own folders come first, in the workspace's order.
  for (const facts of inOrder(sessions)) {
    if (groupBy === 'folder') {
      put({ type: 'folder', folder: facts.cwd }, `group folder ${path.resolve(facts.cwd)}`, facts);
    } else {
      const { agentId, agentName } = facts;
      put({ type: 'agent', agentId, agentName }, `group agent ${agentId}`, facts);
    }
  }
  const rankOf = ({ of }: Group): number => {
    const place = of.type === 'folder' ? folders.findIndex((folder) => isSameFolder(folder, of.folder)) : 0;
    return place < 0 ? folders.length : place;
  };
  return [...groups.values()].sort((a, b) => rankOf(a) - rankOf(b));
}

/** Sorts the sessions: those that need the user first, then pinned ones, then by time. Equal times have a stable order. */
function inOrder(sessions: readonly SessionFacts[]): readonly SessionFacts[] {
  const needs = ({ status }: SessionFacts): number => Number(status === 'needsYou');
  return sessions.toSorted((a, b) => needs(b) - needs(a) || Number(b.pinned) - Number(a.pinned) || b.at - a.at || (a.id < b.id ? -1 : 1));
}

/**
 * Returns the ids of the rows to draw again after a change; a group's children are drawn with it. `['']` is the whole tree. It is necessary when a
 * row moves to another group, because VS Code rejects a row that it still has elsewhere.
 */
export function changedRows(before: Tree, after: Tree, same: (a: TreeNode, b: TreeNode) => boolean): readonly string[] {
  const isSameList = (id: string): boolean => {
    const [old, now] = [before.children.get(id) ?? [], after.children.get(id) ?? []];
    return old.length === now.length && old.every((each, index) => each === now[index]);
  };
  const isSameRow = (id: string): boolean => {
    const [old, now] = [before.nodes.get(id), after.nodes.get(id)];
    return old !== undefined && now !== undefined && same(old, now);
  };
  const groups = after.children.get(ROOT) ?? [];
  const lists = groups.filter((id) => !isSameList(id));
  const moves = lists.some((id) => {
    const old = new Set(before.children.get(id));
    return (after.children.get(id) ?? []).some((row) => !old.has(row) && before.nodes.has(row));
  });
  if (!isSameList(ROOT) || moves) {
    return [ROOT];
  }
  return groups.flatMap((id) =>
    lists.includes(id) || !isSameRow(id) ? [id] : (after.children.get(id) ?? []).filter((row) => !isSameRow(row)),
  );
}

/** The sessions of subagents with their parents, on the wire. Each step takes nearly constant time, because an agent or a log can name any number. */
import { MAX_SUBAGENTS } from './subagentTree';

export class SessionTree {
  private readonly parents = new Map<string, string>();
  /** An ancestor of each subagent. Each search makes it the topmost one. */
  private readonly ancestors = new Map<string, string>();
  /** The number of subagents below each topmost session. */
  private readonly counts = new Map<string, number>();

  parentOf(subagentId: string): string | undefined {
    return this.parents.get(subagentId);
  }

  /** Returns the topmost session above a session: itself when it is no subagent. */
  rootOf(sessionId: string): string {
    const passed: string[] = [];
    let root = sessionId;
    for (let next = this.ancestors.get(root); next !== undefined; next = this.ancestors.get(root)) {
      passed.push(root);
      root = next;
    }
    passed.forEach((each) => this.ancestors.set(each, root));
    return root;
  }

  /** Adds a subagent, with those that it is the parent of already. False when it has a parent, would be its own ancestor, or is one too many. */
  add(subagentId: string, parent: string): boolean {
    const root = this.rootOf(parent);
    const count = (this.counts.get(root) ?? 0) + 1 + (this.counts.get(subagentId) ?? 0);
    if (this.parents.has(subagentId) || subagentId === root || count > MAX_SUBAGENTS) {
      return false;
    }
    this.parents.set(subagentId, parent);
    this.ancestors.set(subagentId, root);
    this.counts.delete(subagentId);
    this.counts.set(root, count);
    return true;
  }
}

/** Brings a match onto the screen: renders its page, fetches its body, opens the parts that fold it, and scrolls all containers. */
import { entryIdOf, isAbsent, type Slot } from '../../src/core/model/state';
import { cardsAround } from '../../src/core/subagents/displayOrder';
import { conversationOf, slotIn } from '../../src/core/subagents/subagentTree';
import type { DisclosureState } from '../state/disclosureState';
import type { Mirror } from '../state/mirror';
import { questionDisclosureKey } from '../transcript/permission/permissionHeading';
import { runAt, runKey } from '../transcript/toolCalls/toolGroup';
import { entryElement, type Marks } from './marks';
import type { Match } from '../state/search';

/** Frames after which the search for a match ends. */
const TIMEOUT_MS = 90;
/** Frames in a row in which the match must not move, because elements that come onto the screen are laid out only then. */
const STILL = 3;

interface RevealDependencies {
  readonly log: HTMLElement;
  readonly mirror: Mirror;
  readonly disclosures: DisclosureState;
  readonly marks: Marks;
  /** Scrolls to an entry that may not be rendered. */
  toEntry(entryId: string): void;
}

export class Reveal {
  private run = 0;
  /** The parts that were opened for a match, with their entry and previous state. */
  private readonly opened = new Map<string, { readonly entryId: string; readonly before: boolean | undefined }>();
  private details: { readonly entryId: string; readonly element: HTMLDetailsElement }[] = [];

  constructor(private readonly deps: RevealDependencies) {}

  /** @param expected the number of all matches of the entry */
  show(match: Match, expected: number): void {
    const run = ++this.run;
    for (const card of cardsAround(this.deps.mirror.state, match.entryId)) {
      const opened = this.opened.get(card);
      if (opened) {
        this.opened.set(card, { ...opened, entryId: match.entryId });
      }
    }
    this.closeOpened(match.entryId);
    let frames = 0;
    let opened = 0;
    let still = 0;
    const step = (): void => {
      if (run !== this.run || frames++ > TIMEOUT_MS) {
        return;
      }
      const { log, mirror, marks, toEntry } = this.deps;
      const entry = entryElement(log, match.entryId);
      const slot = slotIn(mirror.state, match.entryId);
      if (!slot) {
        return;
      }
      if (!entry || isAbsent(slot)) {
        if (!entry) {
          // An entry whose page is rendered but that is not in the document is in a closed run of tool calls.
          const { entries } = conversationOf(mirror.state, match.entryId)!;
          if (runAt(entries, entries.indexOf(match.entryId))) {
            this.open(match.entryId, runKey(match.entryId));
          }
          cardsAround(mirror.state, match.entryId).forEach((card) => this.open(match.entryId, card));
          toEntry(match.entryId);
        }
        mirror.want([match.entryId]);
      } else if (marks.matchesOf(entry).length < expected && opened < disclosuresOf(slot).length) {
        disclosuresOf(slot)[opened++]!.forEach((key) => this.open(match.entryId, key));
      } else {
        marks.paint();
        const range = marks.rangeOf(match);
        this.openDetails(match.entryId, range?.startContainer.parentElement);
        const moved = range ? toScreen(range, log) : toScreen(entry, log);
        still = moved ? 0 : still + 1;
        if (still >= STILL) {
          return;
        }
      }
      requestAnimationFrame(step);
    };
    step();
  }

  stop(): void {
    this.run++;
  }

  /** Closes the parts that were opened for matches, except those of the entry `but` and of an entry that the user is using. */
  closeOpened(but?: string): void {
    const { log, disclosures } = this.deps;
    const stays = (entryId: string): boolean => entryId === but || isInUse(entryElement(log, entryId));
    for (const [key, { entryId, before }] of this.opened) {
      if (entryId === but) {
        continue;
      }
      this.opened.delete(key);
      if (disclosures.get(key) === true && !stays(entryId)) {
        disclosures.set(key, before);
      }
    }
    for (const { entryId, element } of this.details) {
      element.open &&= stays(entryId);
    }
    this.details = this.details.filter(({ entryId }) => entryId === but);
  }

  private open(entryId: string, key: string): void {
    const { disclosures } = this.deps;
    const before = disclosures.get(key);
    if (before !== true) {
      this.opened.set(key, { entryId, before });
      disclosures.set(key, true);
    }
  }

  /** Opens the `<details>` of an answer around the match. */
  private openDetails(entryId: string, inside: Element | null | undefined): void {
    for (let around = inside?.closest('details'); around; around = around.parentElement?.closest('details')) {
      // The summary is visible anyway.
      if (!around.open && inside?.closest('summary')?.parentElement !== around) {
        around.open = true;
        this.details.push({ entryId, element: around });
      }
    }
  }
}

/** True when the focus or the selection is in the entry. */
function isInUse(entry: Element | null | undefined): boolean {
  const selection = document.getSelection();
  return (
    entry?.contains(document.activeElement) === true ||
    (selection !== null && !selection.isCollapsed && entry?.contains(selection.anchorNode) === true)
  );
}

/** The parts of an entry that may hide its text, in the order in which to open them. The names are those of the entry's components. */
function disclosuresOf(slot: Slot): readonly (readonly string[])[] {
  const { entryId } = slot;
  if (isAbsent(slot)) {
    return [];
  }
  switch (slot.kind) {
    case 'message':
      return [
        slot.role === 'thought' ? [entryId] : slot.content.map((_, index) => `${entryId}/${index}/all`),
        ...blockDisclosures(slot.content.map((_, index) => `${entryId}/${index}`)),
      ];
    case 'tool_call': {
      const parts = slot.content.map((content, index) =>
        content.type === 'terminal' ? `terminal/${content.terminalId}/all` : `${entryId}/content.${index}/all`,
      );
      const questions = (slot.requests ?? []).map((permissionId) => questionDisclosureKey(entryIdOf.permission(permissionId)));
      return [
        [runKey(entryId)],
        [entryId, ...questions],
        parts,
        ...blockDisclosures(slot.content.map((_, index) => `${entryId}/content.${index}`)),
      ];
    }
    case 'permission':
      return [[`${entryId}/subject`, questionDisclosureKey(entryId)]];
    case 'notice':
      return [[`${entryId}/all`]];
    case 'session_message':
      return [[entryId], ...blockDisclosures(slot.content.map((_, index) => `${entryId}/${index}`))];
    case 'compaction':
      return [[entryId], ...blockDisclosures(slot.summary.map((_, index) => `${entryId}/${index}`))];
    default:
      return [];
  }
}

/** The folds of content blocks with these names: first the whole block, then its text. */
function blockDisclosures(names: readonly string[]): readonly (readonly string[])[] {
  return [names.map((name) => `${name}/for-agent`), names.map((name) => `${name}/text`)];
}

/** px between a match and the edge of its scroll container: more than the bar's height. */
const MARGIN = 48;

/** Scrolls all containers of `target` up to the conversation so that it is visible. Returns true when something moved. */
function toScreen(target: StaticRange | Element, log: HTMLElement): boolean {
  const range = target instanceof Element ? target : liveRange(target);
  if (!range) {
    return false;
  }
  const start = target instanceof Element ? target.parentElement : target.startContainer.parentElement;
  let moved = false;
  for (let around = start; around; around = around.parentElement) {
    if (scrolls(around)) {
      moved = center(around, range) || moved;
    }
    if (around !== log && around.contains(log)) {
      break;
    }
  }
  return moved;
}

function liveRange({ startContainer, startOffset, endContainer, endOffset }: StaticRange): Range | undefined {
  if (!startContainer.isConnected || !endContainer.isConnected) {
    return undefined;
  }
  const range = document.createRange();
  range.setStart(startContainer, Math.min(startOffset, startContainer.nodeValue?.length ?? 0));
  range.setEnd(endContainer, Math.min(endOffset, endContainer.nodeValue?.length ?? 0));
  return range;
}

function scrolls(element: Element): boolean {
  if (element.scrollHeight <= element.clientHeight && element.scrollWidth <= element.clientWidth) {
    return false;
  }
  const { overflowX, overflowY } = getComputedStyle(element);
  return /auto|scroll/.test(overflowX + overflowY);
}

function center(scroller: Element, target: { getBoundingClientRect(): DOMRect }): boolean {
  const { scrollTop, scrollLeft } = scroller;
  const outer = scroller.getBoundingClientRect();
  const inner = target.getBoundingClientRect();
  const margin = Math.min(MARGIN, outer.height / 4);
  if (inner.top < outer.top + margin || inner.bottom > outer.bottom - margin) {
    scroller.scrollTop += (inner.top + Math.min(inner.bottom, inner.top + outer.height)) / 2 - (outer.top + outer.bottom) / 2;
  }
  if (inner.left < outer.left || inner.right > outer.right) {
    scroller.scrollLeft += inner.left - outer.left - MARGIN;
  }
  return Math.abs(scroller.scrollTop - scrollTop) > 1 || Math.abs(scroller.scrollLeft - scrollLeft) > 1;
}

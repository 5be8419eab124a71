/** The part of a waiting request that is below the fold of its card, as a line beside the answers. */
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { isMisnamed } from '../../../src/core/approval/optionName';
import type { PermissionOption } from '../../../src/core/model/content';
import { ArrowDownIcon } from '../../base/icons';
import { t } from '../../base/l10n';
import { questionOf } from './questionKeys';

/** px of the last line that may be hidden: its padding. */
const SLACK = 8;

/**
 * Scrolls to the end of the request's command when a key chose this option before that end was in sight. Returns the words for the next key, or
 * undefined when the key may answer: the command was in sight, or the option refuses.
 */
export type ShowUnread = (option: PermissionOption) => string | undefined;

interface Props {
  /** The warnings and the answers, which the content scrolls behind. */
  readonly foot: RefObject<HTMLElement>;
  /** Set here. */
  readonly unread: { current: ShowUnread | undefined };
}

export function Rest({ foot, unread }: Props) {
  const [lines, setLines] = useState(0);
  const rest = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const sight = new QuestionSight(foot.current!);
    const look = (): void => {
      const now = sight.linesBelow();
      if (now === 0 && rest.current === document.activeElement) {
        questionOf(foot.current!).focus({ preventScroll: true });
      }
      setLines(now);
    };
    unread.current = (option) => {
      const refuses = option.kind.startsWith('reject') && !isMisnamed(option);
      return !refuses && sight.showCommand() ? t('This is the end of the command. Press the key again to answer.') : undefined;
    };
    look();
    const sizes = new ResizeObserver(look);
    sizes.observe(foot.current!);
    sizes.observe(sight.box);
    const changes = new MutationObserver(look);
    changes.observe(sight.box, { subtree: true, childList: true, characterData: true, attributeFilter: ['open'] });
    sight.box.addEventListener('scroll', look, { passive: true });
    return () => {
      unread.current = undefined;
      sizes.disconnect();
      changes.disconnect();
      sight.box.removeEventListener('scroll', look);
    };
  }, []);
  return lines === 0 ? null : (
    <button
      ref={rest}
      type="button"
      class="text-button question-rest"
      // A click takes no focus, like one on an answer.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => new QuestionSight(foot.current!).scrollOn()}
    >
      <ArrowDownIcon />
      {lines === 1 ? t('1 more line') : t('{count} more lines', { count: lines })}
    </button>
  );
}

/** The visible part of a question, above its answers. */
class QuestionSight {
  /** The element in which the content scrolls. */
  readonly box: HTMLElement;
  /** The content of a request on a card of its own, and of a further request. */
  private readonly subject: Element | null;
  /** The command whose end was in sight. */
  private seen: string | undefined;

  constructor(private readonly foot: HTMLElement) {
    this.subject = foot.parentElement!.querySelector(':scope > .subject');
    this.box = foot.closest<HTMLElement>('.tool-body') ?? (this.subject as HTMLElement);
  }

  /** Counts the lines between the visible part and the end of the content. Notes a command whose end is in sight. */
  linesBelow(): number {
    const { command } = this;
    if (command && this.isLaidOut && this.hidden(command) <= SLACK) {
      this.seen = command.textContent ?? '';
    }
    const last = this.subject ? this.subject.lastElementChild : this.foot.previousElementSibling;
    const hidden = last ? this.hidden(last) : 0;
    return hidden <= SLACK ? 0 : Math.max(1, Math.round(hidden / this.lineHeight));
  }

  /** Scrolls to the end of the command, unless that was in sight before. Returns true when it scrolled. */
  showCommand(): boolean {
    this.linesBelow();
    const { command } = this;
    if (!command || this.seen === command.textContent) {
      return false;
    }
    this.seen = command.textContent ?? '';
    this.box.scrollTop += this.hidden(command) + SLACK;
    return true;
  }

  /** Scrolls by what can be seen at once, less one line. */
  scrollOn(): void {
    const { top } = this.box.getBoundingClientRect();
    this.box.scrollTop += Math.max(this.lineHeight, this.edge - top - this.lineHeight);
  }

  /** The last command of this question. Further questions on the same card have their own. */
  private get command(): Element | undefined {
    const question = questionOf(this.foot);
    const commands = [...question.querySelectorAll('.subject-command')];
    return commands.filter((each) => each.closest('[data-entry-id]') === question).at(-1);
  }

  /** False for a card in a page that is not drawn. */
  private get isLaidOut(): boolean {
    return this.box.clientHeight > 0;
  }

  /** The lower edge of the visible content, px in the page. */
  private get edge(): number {
    return Math.min(this.foot.getBoundingClientRect().top, this.box.getBoundingClientRect().bottom);
  }

  private hidden(element: Element): number {
    return element.getBoundingClientRect().bottom - this.edge;
  }

  private get lineHeight(): number {
    return parseFloat(getComputedStyle(this.command ?? this.box).lineHeight) || 18;
  }
}

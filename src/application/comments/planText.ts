/** A session's plans as a document, an entry a line. Pure. */
import type { PlanBody } from '../../core/model/content';
import { escapeMisleading } from '../../text/characters/textSafety';
import { codeSpan, proseLine } from '../../text/markdown/fence';
import { sanitizeMarkdown, withoutRunningLinks } from '../../text/markdown/sanitize';
import { isAbsent, type Plans, type SessionState } from '../../core/model/state';

/** The plans of the running turn, else of the last turn that had one. */
export function plansToShow(state: SessionState): Plans {
  if (Object.keys(state.plans).length > 0) {
    return state.plans;
  }
  for (let index = state.entries.length - 1; index >= 0; index--) {
    const slot = state.entries.peek(index);
    if (slot && !isAbsent(slot) && slot.kind === 'turn' && Object.keys(slot.plans ?? {}).length > 0) {
      return slot.plans!;
    }
  }
  return {};
}

/** Returns sanitized Markdown: no HTML, no hidden characters, and links to the web, to mailboxes and to files only. */
export function planText(plans: Plans): string {
  const texts = Object.values(plans).map(textOf).filter(Boolean);
  return texts.length === 0 ? '' : `${escapeMisleading(withoutRunningLinks(texts.join('\n\n')))}\n`;
}

function textOf(plan: PlanBody): string {
  switch (plan.type) {
    case 'items':
      return plan.entries
        .map(({ content, priority, status }) => {
          const notes = [
            ...(status === 'in_progress' ? ['in progress'] : []),
            ...(priority && priority !== 'medium' ? [proseLine(priority)] : []),
          ];
          const box = status === 'completed' ? 'x' : ' ';
          return `- [${box}] ${proseLine(content)}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`;
        })
        .join('\n');
    case 'markdown':
      return sanitizeMarkdown(plan.content);
    case 'file':
      return codeSpan(plan.uri);
    case 'unknown':
      return '';
  }
}

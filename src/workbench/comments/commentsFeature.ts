/** Comments on lines of files and plans. Loaded with the first session. */
import type { Disposable } from '../../core/platform/disposable';
import type { Sessions } from '../../session/sessions';
import { DisposableStore } from '../../util/disposable';
import type { SessionPanels } from '../chat/panels';
import { LineComments, type LineCommentsDependencies } from './lineComments';
import { PlanDocuments } from './planDocuments';

export interface CommentingDependencies extends Pick<LineCommentsDependencies, 'clock' | 'log' | 'files' | 'drafts'> {
  readonly sessions: Pick<Sessions, 'all' | 'get' | 'onChange'>;
  readonly panels: Pick<SessionPanels, 'active' | 'attach' | 'isVisible' | 'onDidChangeActive'>;
}

export class CommentsFeature implements Disposable {
  private readonly store = new DisposableStore();
  private readonly plans: PlanDocuments;
  readonly comments: LineComments;

  constructor(private readonly deps: CommentingDependencies) {
    const plans = (this.plans = this.store.add(new PlanDocuments(deps.sessions)));
    this.comments = this.store.add(new LineComments({ ...deps, sessionOfPlan: (uri) => plans.sessionOf(uri) }));
  }

  /** Opens the plan of the session in front. */
  openPlan(): Promise<void> {
    return this.plans.open(this.deps.panels.active ?? this.deps.sessions.all.at(-1));
  }

  dispose(): void {
    this.store.dispose();
  }
}

/** A number from the host. */
import { message, sends } from '../messages/channel';

export const number = {
  takes: {
    draw_number: message({}, { recorded: true, restricted: true, aboutShowing: true }),
  },
  sends: sends<{ readonly type: 'number'; readonly value: number }>(),
};

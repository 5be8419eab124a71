/** The outcome of an elicitation (RFD "Elicitation"). */
import { array, boolean, type Infer, literal, number, record, string, union } from '../schema/schema';

const elicitationValue = union(string(), number(), boolean(), array(string()));
export type ElicitationValue = Infer<typeof elicitationValue>;

/** A form's answer by property name; a field that was left empty is absent. */
export const elicitationContent = record(elicitationValue);
export type ElicitationContent = Infer<typeof elicitationContent>;

/**
 * The outcomes. `accepted`: for a web page, the user agreed to open it. `declined`: an explicit no. `cancelled`: dismissed. `withdrawn`: by the
 * agent. `lost`: the connection was lost.
 */
export const elicitationOutcome = literal('accepted', 'declined', 'cancelled', 'withdrawn', 'lost');
export type ElicitationOutcome = Infer<typeof elicitationOutcome>;

/** The features' parts between the conversation and the message box, from top to bottom. */
import features from 'folder:../features';

export const footers = Object.values(features).sort((one, other) => one.order - other.order);

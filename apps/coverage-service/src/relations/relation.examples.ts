/** A name may be there once, so this is created again after it was deleted. */
export const CREATE_EXAMPLES = {
  relation: {
    summary: 'a relation with a provider of infrastructure',
    value: { name: 'Innere Stadt', pip: 'Stadtnetz Wien', comment: 'ducts and dark fibre within the ring road' },
  },
};

export const UPDATE_EXAMPLES = {
  name: { summary: 'another name', value: { name: 'Wien 1' } },
  clear: { summary: 'without its comment', value: { comment: null } },
};

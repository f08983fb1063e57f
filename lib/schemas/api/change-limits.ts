/** pGPUs of one change: what a person can still review, and an address can carry. */
export const MOST_CHANGE_GPUS = 200

/** What a naming rule may be: a custom trait's name in which {type} or {id} stands, and {vendor} may. */
export const TRAIT_RULE_PATTERN = /^CUSTOM_(?=.*\{(?:type|id)\})(?:[A-Z0-9_]|\{(?:vendor|type|id)\})+$/

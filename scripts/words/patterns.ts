/** Where a word is read: a text that a person reads, the name of a file or identifier, a comment, a document. */
export const WORD_KINDS = ['texts', 'names', 'comments', 'docs'] as const
export type WordKind = (typeof WORD_KINDS)[number]

/** Words that CONTRIBUTING.md replaces. `pattern` has the flags `gi`. */
export type WordPattern = { pattern: RegExp; use: string }

const words = (list: string, use: string): WordPattern => ({
  pattern: new RegExp(`\\b(?:${list})\\b`, 'gi'),
  use,
})

/** Of texts, comments and documents. */
export const PROSE: readonly WordPattern[] = [
  words('told|tells|telling|untold', 'reported, configured, notified'),
  words('says|said|saying|speaks|spoke|spoken|heard|unheard', 'reports, reported, value, received'),
  words("last word|by \\w+'s word|\\w+[’']s word|own word|next word", 'last seen, reported value'),
  words('asks for|asked for|is asked|are asked|asked no more', 'requests, requested'),
  words('stands|stood|standing', 'is shown, is listed, is stored, status'),
  words('as it stands|present types', 'current'),
  words('for good', 'until, permanently'),
  words('anew', 'again, or a verb with re-'),
  words('meanwhile', 'in the meantime'),
  words('whatever|whoever|whichever|nobody|somebody|upon|ever', 'the actual subject'),
  words('beside|besides', 'next to, in addition to'),
  words('by itself|by themselves|of its own|of their own', 'automatically'),
  words(
    'take[ns]? back|took back|taking back|take[ns]? off|took off|put back|puts back',
    'revert, remove, add',
  ),
  words('hand(?:s|ed)? out|handing out', 'assign'),
  words('neither sliced', 'not configured for vGPU or passthrough'),
  words('mend|mends|mended', 'repair, fix'),
  words('at fault|who is wrong|to blame', 'source to correct'),
  words('left alone|in hand|break(?:s)? off|broke off|broken off', 'skipped, in progress, stop, fail'),
  words('out of reach|within reach', 'cannot be scheduled, can be scheduled'),
  words('starved', 'no headroom'),
  words('goes on|go on|went on', 'continue, in progress'),
  words('there is room|room for|room left', 'headroom, free capacity'),
  words('promise|promises|promised', 'allocated quota, capacity'),
  words('wish|wishes|wished', 'input, requested'),
  words('looks? at|looked at|look again', 'check, refresh'),
  words('such as it|in its own way|be it', 'a main clause'),
  words("can't be made|can be made now", 'blocked, free'),
  words('of no use|makes? nothing of|comes? of it|came of', 'unused, result'),
  words(
    'flavours?|licences?|catalogues?|colours?|behaviours?|utilisation|organisations?|authoris\\w+|initialis\\w+|serialis\\w+|normalis\\w+|recognis\\w+|cancelled|labelled|favour\\w*',
    'American spelling',
  ),
]

/** Of names, split at capitals, digits, dashes and underscores: `hasTold` is `has` and `told`. */
export const NAME_WORDS: Readonly<Record<string, string>> = {
  told: 'reported, configuredByAdmin, notify',
  tell: 'notify, report',
  untold: 'unreported',
  place: 'index, position, location',
  places: 'indexes, positions, locations',
  room: 'headroom, freeCapacity, admission, diskSpace',
  rooms: 'headroom, freeCapacity',
  standing: 'status, state',
  works: 'stepHandlers',
  most: 'max',
  least: 'min',
  wish: 'input',
  desk: 'executor',
  board: 'cache',
  seat: 'slot',
  stretch: 'interval',
  concern: 'affected',
  asked: 'requested',
  said: 'reported',
  unheard: 'neverRead',
  spoken: 'readStatus',
  fence: 'capacityReservation',
  landing: 'placementPreview',
  reach: 'eligibleHosts',
  blame: 'sourceToCorrect',
  blind: 'fleetSilent',
  kept: 'managed, retained',
  anew: 'again',
  meanwhile: 'concurrently',
  beside: 'nextTo',
  mend: 'repair',
  heard: 'received',
  licences: 'licenses',
  licence: 'license',
  utilisation: 'utilization',
  catalogue: 'catalog',
}

/** Last words of names that hold a text. */
export const NAME_ENDINGS: Readonly<Record<string, string>> = { words: 'Label, Text, format…' }

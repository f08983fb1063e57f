import type {
  ReviewContent,
  ReviewContentV1,
  ReviewContentV2,
  ReviewContentV3,
  ReviewContentV4,
} from '@/lib/schemas/api/review-content'

const NONE = { isKnown: false as const, because: 'no agent reported it' }
const OPEN = { error: 0, warning: 0, info: 0 }

const V1: ReviewContentV1 = {
  version: 1,
  cloud: 'paris',
  period: {
    kind: 'month',
    name: '2026-10',
    timeZone: 'UTC',
    from: '2026-10-01T00:00:00.000Z',
    until: '2026-11-01T00:00:00.000Z',
    knownUntil: '2026-11-01T00:00:00.000Z',
  },
  filter: { by: 'all', key: '', label: '' },
  hours: { whole: 744, watched: 0 },
  before: null,
  end: { capacity: 8, used: 3, spare: 1, orphan: 0, unseen: 0, stranded: null },
  peak: null,
  average: { used: null, capacity: null },
  refused: { servers: 0, groups: [], others: 0 },
  utilisation: NONE,
  idle: NONE,
  stranded: [],
  chart: {
    from: '2026-10-01T00:00:00.000Z',
    stepSeconds: 3600,
    used: [],
    capacity: [],
    unseen: [],
    marks: [],
  },
  types: { rows: [], others: 0 },
  projects: { rows: null, others: 0 },
  done: { changes: [], others: 0, orphans: { mdevs: 0, hosts: 0 }, silent: [], otherSilent: 0 },
  findings: { opened: 0, closed: 0, open: OPEN, rows: [] },
  help: [],
}
const V2: ReviewContentV2 = {
  ...V1,
  version: 2,
  utilisation: {
    isKnown: true,
    average: 12.5,
    peak: 80,
    at: null,
    pgpus: { measured: 2, unmeasured: 1 },
  },
  idle: NONE,
}
const V3: ReviewContentV3 = {
  ...V2,
  version: 3,
  before: null,
  end: {
    capacity: 8,
    used: 3,
    spare: 1,
    orphan: 0,
    stranded: 0,
    passthrough: { capacity: 0, used: 0 },
    lastKnown: null,
  },
}

const V4: ReviewContentV4 = { ...V3, version: 4 }

/** Content as a console wrote it that knew this version as the newest one. */
export const contentOfVersion = (version: ReviewContent['version']): ReviewContent =>
  ({ 1: V1, 2: V2, 3: V3, 4: V4 })[version]

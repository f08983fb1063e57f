import type { ReviewContentV1, ReviewContentV2, ReviewContentV4 } from '@/lib/schemas/api/review-content'

const HOURS = 745

const isGap = (hour: number): boolean => hour >= 400 && hour < 409

/** Content of version 1 with something in each of its parts. */
export const OCTOBER: ReviewContentV1 = {
  version: 1,
  cloud: 'paris-prod',
  period: {
    kind: 'month',
    name: '2026-10',
    timeZone: 'Europe/Paris',
    from: '2026-09-30T22:00:00.000Z',
    until: '2026-10-31T23:00:00.000Z',
    knownUntil: '2026-10-31T23:00:00.000Z',
  },
  filter: { by: 'all', key: '', label: '' },
  hours: { whole: HOURS, watched: HOURS - 9 },
  before: { capacity: 696, used: 300, spare: 4, orphan: 11, unseen: 0, stranded: 20 },
  end: { capacity: 688, used: 440, spare: 3, orphan: 0, unseen: 16, stranded: 33 },
  peak: { used: 446, capacity: 704, at: '2026-10-29T14:00:00.000Z' },
  average: { used: 371.4, capacity: 700.2 },
  refused: {
    servers: 38,
    groups: [
      { flavor: 'vgpu.a40-24q', reason: 'no-valid-host', servers: 31 },
      { flavor: null, reason: 'over-limit', servers: 7 },
    ],
    others: 0,
  },
  utilisation: { isKnown: true, average: 41.3, peak: 88.9, at: '2026-10-12T13:00:00.000Z' },
  idle: {
    isKnown: true,
    vgpus: 27,
    untold: 4,
    belowPercent: 1,
    days: 14,
    projects: [{ label: 'vdi-north', vgpus: 19 }],
    others: 8,
  },
  stranded: [
    { because: 'the host has no CPU, memory or disk left beside them', vgpus: 29, hosts: 5 },
    { because: null, vgpus: 4, hosts: 1 },
  ],
  chart: {
    from: '2026-09-30T22:00:00.000Z',
    stepSeconds: 3600,
    used: Array.from({ length: HOURS }, (_, hour) =>
      isGap(hour) ? null : 300 + Math.floor(hour / 6) + ((hour * 7) % 24),
    ),
    capacity: Array.from({ length: HOURS }, (_, hour) =>
      isGap(hour) ? null : hour < 280 ? 696 : hour > 680 ? 688 : 704,
    ),
    unseen: Array.from({ length: HOURS }, (_, hour) => (isGap(hour) ? 704 : hour > 680 ? 16 : 0)),
    marks: [
      { at: '2026-10-12T14:20:00.000Z', label: 'change 9: 8 T4 cards from T4-16C to T4-8C' },
      { at: '2026-10-13T09:00:00.000Z', label: 'change 10: Remove 11 orphan mdevs' },
      { at: '2026-10-31T20:00:00.000Z', label: 'change 12: Traits' },
    ],
  },
  types: {
    rows: [
      {
        key: 'nvidia-1',
        label: 'A40-24Q',
        used: 16,
        capacity: 16,
        full: { kind: 'full', since: '2026-10-12' },
      },
      {
        key: 'nvidia-2',
        label: 'L40S-16Q',
        used: 38,
        capacity: 48,
        full: { kind: 'dated', earliest: '2027-01-04', likely: '2027-02-01', latest: '2027-03-20' },
      },
      {
        key: 'nvidia-3',
        label: 'A100-20C',
        used: 9,
        capacity: 16,
        full: { kind: 'dated', earliest: '2027-04-01', likely: null, latest: null },
      },
      { key: 'nvidia-4', label: 'T4-8C', used: 22, capacity: 48, full: { kind: 'not-growing' } },
      { key: 'nvidia-5', label: 'T4-2Q', used: 12, capacity: 48, full: { kind: 'after', day: '2027-04-29' } },
      {
        key: 'nvidia-6',
        label: 'T4-1Q',
        used: 301,
        capacity: 416,
        full: { kind: 'unknown', because: 'not enough data' },
      },
    ],
    others: 2,
  },
  projects: {
    rows: [
      { label: 'cfd-lab', before: 40.2, after: 62.1 },
      { label: 'render-farm', before: 11, after: 28 },
      { label: 'bio-ml', before: 31.4, after: 25 },
    ],
    others: 1,
  },
  done: {
    changes: [
      {
        id: 9,
        title: '8 T4 cards from T4-16C to T4-8C',
        isUndone: false,
        at: '2026-10-12T14:20:00.000Z',
        effect: 8,
      },
      {
        id: 10,
        title: 'Remove 11 orphan mdevs',
        isUndone: false,
        at: '2026-10-13T09:00:00.000Z',
        effect: null,
      },
      { id: 12, title: 'Traits', isUndone: true, at: '2026-10-31T20:00:00.000Z', effect: null },
    ],
    others: 1,
    orphans: { mdevs: 11, hosts: 3 },
    silent: [
      { host: 'cmp-r6-09', from: '2026-10-28T10:00:00.000Z', until: null },
      { host: 'cmp-r6-04', from: '2026-10-17T06:00:00.000Z', until: '2026-10-17T15:00:00.000Z' },
    ],
    otherSilent: 1,
  },
  findings: {
    opened: 14,
    closed: 9,
    open: { error: 1, warning: 4, info: 0 },
    rows: [
      {
        severity: 'error',
        sentence: 'nova-compute would not start again: mdev_types names nvidia-999',
        since: '2026-10-30T10:00:00.000Z',
      },
      { severity: 'warning', sentence: '29 free vGPUs are out of reach', since: '2026-09-12T10:00:00.000Z' },
    ],
  },
  help: [
    {
      sentence:
        'A40-24Q is used up: 2 unused cards of the same model from A40-8Q to A40-24Q, which takes 12 unused A40-8Q',
      effect: '+4',
    },
    { sentence: 'More capacity for vgpu.a40-24q: no host could take 31 servers', effect: null },
  ],
}

/** The same of version 2. */
export const OCTOBER_V2: ReviewContentV2 = {
  ...OCTOBER,
  version: 2,
  utilisation: {
    isKnown: true,
    average: 41.3,
    peak: 88.9,
    at: '2026-10-12T13:00:00.000Z',
    pgpus: { measured: 34, unmeasured: 8 },
  },
  idle: {
    isKnown: true,
    vgpus: 27,
    held: 443,
    untold: [
      { reason: 'not-measured', vgpus: 3 },
      { reason: 'gaps', vgpus: 1 },
    ],
    belowPercent: 1,
    days: 14,
    projects: [{ label: 'vdi-north', vgpus: 19 }],
    others: 8,
    longest: [
      {
        server: 'desk-7',
        project: 'vdi-north',
        since: '2026-08-03T00:00:00.000Z',
        hosts: ['cmp-r6-04', 'cmp-r6-09'],
      },
    ],
  },
  chart: {
    ...OCTOBER.chart,
    marks: [
      { at: '2026-10-12T14:20:00.000Z', label: 'change 9: 8 T4 cards from T4-16C to T4-8C' },
      { at: '2026-10-13T09:00:00.000Z', label: 'change 10: Remove 11 orphan mdevs' },
      { at: '2026-10-17T06:00:00.000Z', label: 'cmp-r6-04 silent: nobody watched it' },
      { at: '2026-10-31T20:00:00.000Z', label: 'change 12: Traits' },
    ],
  },
}

/** The same of version 4. */
export const OCTOBER_V4: ReviewContentV4 = {
  ...OCTOBER_V2,
  version: 4,
  before: {
    capacity: 696,
    used: 300,
    spare: 4,
    orphan: 11,
    stranded: 20,
    passthrough: { capacity: 4, used: 1 },
    lastKnown: null,
  },
  end: {
    capacity: 704,
    used: 440,
    spare: 3,
    orphan: 0,
    stranded: 33,
    passthrough: { capacity: 4, used: 2 },
    lastKnown: { hosts: 1, capacity: 16, used: 0, passthroughCapacity: 0 },
  },
  stranded: [
    { because: 'the host has no CPU, memory or disk left for them', vgpus: 29, hosts: 5 },
    { because: null, vgpus: 4, hosts: 1 },
  ],
  chart: {
    ...OCTOBER_V2.chart,
    marks: OCTOBER_V2.chart.marks.map((mark) => ({
      ...mark,
      label: mark.label.replace('nobody watched it', 'no data'),
    })),
  },
  help: [
    {
      sentence:
        'Change 2 unused cards of the same model from A40-8Q to A40-24Q, which is full. This removes 12 unused A40-8Q.',
      effect: '+4',
    },
  ],
}

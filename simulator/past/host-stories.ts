import { NO_FLAVOR, NO_HEADROOM } from '@/lib/domain/fleet/stranded-reasons'

/** Where use was going over the year. `fills`: in the last months there is not enough at peak hours. */
export type Trend = 'grows' | 'fills' | 'flat' | 'shrinks'

/** A card's vGPU type until then, and since when it has today's; days before the past's end. */
type EarlierType = {
  cards: readonly string[]
  typeId: string
  untilDaysAgo: number
  /** An operator edited nova.conf and left vGPUs of the earlier type on each card, which kept it there for so many days. */
  leftover?: { mdevs: number; days: number }
}

export type HostStory = {
  trend: Trend
  /** Null: it was there all year. */
  addedDaysAgo: number | null
  earlierTypes: readonly EarlierType[]
  /** Since when nothing lands on what is free, and why, in the console's words. */
  strandedDaysAgo: number | null
  strandedBecause: typeof NO_HEADROOM | typeof NO_FLAVOR
  /** Since when VFs without a vGPU type are configured for passthrough. */
  untypedDaysAgo: number | null
  /** Today's orphans were left by the last servers of that type. */
  orphanedDaysAgo: number
  /** Its guests can't be read, so that the use is unknown. */
  isUnreadable: boolean
  /** Times without an agent in the year. */
  gaps: number
}

const ORDINARY: HostStory = {
  trend: 'flat',
  addedDaysAgo: null,
  earlierTypes: [],
  strandedDaysAgo: null,
  strandedBecause: NO_HEADROOM,
  untypedDaysAgo: null,
  orphanedDaysAgo: 12,
  isUnreadable: false,
  gaps: 0,
}

const STORIES: Readonly<Record<string, Partial<HostStory>>> = {
  'cmp-r1-01': { trend: 'fills' },
  'cmp-r1-02': { trend: 'grows' },
  'cmp-r1-03': { trend: 'grows' },
  'cmp-r1-04': { trend: 'fills' },
  'cmp-r1-05': { trend: 'grows', gaps: 2 },
  'cmp-r1-06': { trend: 'grows', addedDaysAgo: 163 },
  'cmp-r1-07': { trend: 'grows', addedDaysAgo: 163 },
  'cmp-r1-08': { trend: 'grows', addedDaysAgo: 92 },
  'cmp-r2-05': {
    earlierTypes: [{ cards: ['0000:a1:00.0', '0000:e1:00.0'], typeId: 'nvidia-320', untilDaysAgo: 131 }],
  },
  'cmp-r2-06': { addedDaysAgo: 74 },
  'cmp-r2-07': { trend: 'fills', orphanedDaysAgo: 9 },
  'cmp-r2-08': {
    earlierTypes: [{ cards: ['0000:21:00.0', '0000:61:00.0'], typeId: 'nvidia-233', untilDaysAgo: 58 }],
  },
  'cmp-r3-01': { trend: 'shrinks', gaps: 1 },
  'cmp-r3-02': { trend: 'shrinks', orphanedDaysAgo: 47 },
  'cmp-r3-03': {
    trend: 'shrinks',
    gaps: 1,
    earlierTypes: [
      {
        cards: ['0000:86:00.0', '0000:87:00.0'],
        typeId: 'nvidia-41',
        untilDaysAgo: 171,
        leftover: { mdevs: 2, days: 6 },
      },
    ],
  },
  'cmp-r4-01': { trend: 'grows', strandedDaysAgo: 66 },
  'cmp-r4-02': { trend: 'grows', gaps: 4 },
  'cmp-r4-04': { trend: 'grows', addedDaysAgo: 214, strandedDaysAgo: 38 },
  'cmp-r5-01': { orphanedDaysAgo: 26 },
  'cmp-r5-02': { strandedDaysAgo: 103 },
  'cmp-r5-04': { trend: 'fills', addedDaysAgo: 258, strandedDaysAgo: 120, strandedBecause: NO_FLAVOR },
  'cmp-r5-05': { addedDaysAgo: 258 },
  'cmp-r6-01': {
    earlierTypes: [{ cards: ['0000:a1:00.0', '0000:e1:00.0'], typeId: 'nvidia-1154', untilDaysAgo: 201 }],
  },
  'cmp-r6-02': { trend: 'fills' },
  'cmp-r6-03': { gaps: 2 },
  'cmp-r6-04': { strandedDaysAgo: 300 },
  'cmp-r6-05': { addedDaysAgo: 117, untypedDaysAgo: 117 },
  'cmp-r7-03': { isUnreadable: true },
  'cmp-r7-04': { gaps: 3 },
  'cmp-r7-06': { strandedDaysAgo: 200 },
}

/** What became of a host of the demo in the year before. */
export const storyOf = (hostName: string): HostStory => ({ ...ORDINARY, ...STORIES[hostName] })

/** `cmp-r4-01` is in rack 4; aggregates as the simulated Nova has them. */
const AGGREGATES: readonly (readonly [name: string, racks: RegExp])[] = [
  ['gpu-compute', /^cmp-r[56]-/],
  ['gpu-desktop', /^cmp-r[1-4]-/],
  ['gpu-odd', /^cmp-r7-/],
]

export const aggregatesOf = (hostName: string): string[] =>
  AGGREGATES.filter(([, racks]) => racks.test(hostName)).map(([name]) => name)

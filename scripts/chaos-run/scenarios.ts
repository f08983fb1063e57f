/** One run of vitest that plays a scenario, or a part of it. */
export type ScenarioRun = {
  /** `chaos`: the folder that no other run includes; else a project of the suites. */
  project: 'chaos' | 'service' | 'unit'
  files: readonly string[]
  /** On its own PostgreSQL server instead of PGlite. */
  onPostgres?: boolean
  /** How often, for a run by hand; without them the tests take what the suites take. */
  long?: Readonly<Record<string, string>>
}

export type Scenario = { id: string; title: string; runs: readonly ScenarioRun[] }

const CHAOS_LONG = { SLICEBOARD_CHAOS: 'long' }

/** Every fault that docs/reliability.md covers, with the tests that cause it. */
export const SCENARIOS: readonly Scenario[] = [
  {
    id: 'R1',
    title: 'kill -9 of consoles and agents during reports',
    runs: [
      {
        project: 'service',
        files: ['lib/server/agent-api/crash.test.ts', 'lib/server/database/durability.test.ts'],
        long: { SLICEBOARD_CRASH_KILLS: '1000' },
      },
      {
        project: 'service',
        files: ['lib/server/agent-api/crash.test.ts'],
        onPostgres: true,
        long: { SLICEBOARD_CRASH_KILLS: '1000' },
      },
    ],
  },
  {
    id: 'R2',
    title: 'every plan interrupted at each point of each step',
    runs: [
      {
        project: 'service',
        files: ['lib/services/change/steps.test.ts', 'lib/services/change/steps-control.test.ts'],
        long: { SLICEBOARD_STEPS: 'all' },
      },
    ],
  },
  {
    id: 'R3',
    title: '16 operators and two consoles on one change',
    runs: [{ project: 'chaos', files: ['chaos/R3-'], onPostgres: true, long: CHAOS_LONG }],
  },
  {
    id: 'R4',
    title: 'any order, repetition and delay of reports',
    runs: [
      {
        project: 'service',
        files: ['lib/services/report/report-order.test.ts'],
        long: { SLICEBOARD_HISTORIES: '100000' },
      },
    ],
  },
  {
    id: 'R5',
    title: 'clocks that are off and jump',
    runs: [
      {
        project: 'service',
        files: [
          'lib/services/report/history-order.test.ts',
          'lib/services/report/clock-jumps.test.ts',
          'lib/services/report/report-clock.test.ts',
        ],
      },
    ],
  },
  {
    id: 'R6',
    title: 'a full disk',
    runs: [{ project: 'chaos', files: ['chaos/R6-'], long: CHAOS_LONG }],
  },
  {
    id: 'R7',
    title: 'PostgreSQL stops under load',
    runs: [{ project: 'chaos', files: ['chaos/R7-'], long: CHAOS_LONG }],
  },
  {
    id: 'R8',
    title: 'all agents at once after a day without the console',
    runs: [{ project: 'chaos', files: ['chaos/R8-'], long: CHAOS_LONG }],
  },
  {
    id: 'R9',
    title: 'most of the fleet falls silent',
    runs: [
      {
        project: 'service',
        files: ['lib/services/fleet/get-freshness.test.ts', 'lib/services/change/fleet-silent.test.ts'],
      },
      { project: 'unit', files: ['lib/domain/fleet/blindness.test.ts'] },
    ],
  },
  {
    id: 'R10',
    title: 'one byte of the audit changed, removed or moved',
    runs: [{ project: 'chaos', files: ['chaos/R10-'], long: CHAOS_LONG }],
  },
  {
    id: 'R12',
    title: 'backup, restore, upgrade and agents of another age',
    runs: [{ project: 'chaos', files: ['chaos/R12-'], long: CHAOS_LONG }],
  },
  {
    id: 'R13',
    title: 'races with people, guests, Nova and agents',
    runs: [
      {
        project: 'service',
        files: ['lib/services/change/generated-races.test.ts'],
        long: { SLICEBOARD_RACES: '10000' },
      },
      {
        project: 'unit',
        files: ['agent/execute/remove-races.test.ts'],
        long: { SLICEBOARD_RACES: '10000' },
      },
    ],
  },
]

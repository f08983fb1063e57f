/** vGPUs that a project held on average at the begin and at the end of a period. */
export type ProjectUse = { key: string; before: number; after: number }

const tenth = (value: number): number => Math.round(value * 10) / 10

/** Those that moved by one vGPU or more, the most growth first; of too many those that moved most stay. */
export const projectGrowth = (
  uses: readonly ProjectUse[],
  max: number,
): { rows: ProjectUse[]; others: number } => {
  const changeOf = ({ before, after }: ProjectUse): number => after - before
  const moved = uses
    .map(({ key, before, after }) => ({ key, before: tenth(before), after: tenth(after) }))
    .filter((use) => Math.abs(changeOf(use)) >= 1)
    .toSorted((a, b) => Math.abs(changeOf(b)) - Math.abs(changeOf(a)) || (a.key < b.key ? -1 : 1))
  const rows = moved.slice(0, max).toSorted((a, b) => changeOf(b) - changeOf(a) || (a.key < b.key ? -1 : 1))
  return { rows, others: moved.length - rows.length }
}

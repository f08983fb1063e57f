const PART = /^\s*(\^?)(\d{1,4})(?:-(\d{1,4}))?\s*$/
/** Numbers have four digits at most. */
const MAX_CPUS = 10_000

/**
 * CPUs of a list as nova.conf and the kernel write it: `0-12,^8,15`. Parts that are none are left out.
 * Source: nova/virt/hardware.py parse_cpu_spec, which takes exclusions off at the end.
 */
export const parseCpuSet = (text: string): Set<number> => {
  // Marks in place of a set: a list of a thousand wide ranges would be a thousand times all of their CPUs.
  const isNamed = new Uint8Array(MAX_CPUS)
  const isExcluded = new Uint8Array(MAX_CPUS)
  let end = 0
  for (const part of text.split(',')) {
    const match = PART.exec(part)
    if (match === null) continue
    const behind = Number(match[3] ?? match[2]) + 1
    const marks = match[1] === '^' ? isExcluded : isNamed
    marks.fill(1, Number(match[2]), behind)
    end = Math.max(end, behind)
  }
  const cpus = new Set<number>()
  for (let cpu = 0; cpu < end; cpu++) if (isNamed[cpu] === 1 && isExcluded[cpu] === 0) cpus.add(cpu)
  return cpus
}

/** Whether nova-compute would take a text as a list of CPUs that is not empty. */
export const isCpuSet = (text: string): boolean =>
  text.split(',').every((part) => {
    const match = PART.exec(part)
    return match !== null && Number(match[3] ?? match[2]) >= Number(match[2])
  }) && parseCpuSet(text).size > 0

/** `0-3,8` for 0, 1, 2, 3 and 8; an empty text for none. */
export const formatCpuSet = (cpus: Iterable<number>): string => {
  const sorted = [...new Set(cpus)].toSorted((a, b) => a - b)
  const ranges: [number, number][] = []
  for (const cpu of sorted) {
    const last = ranges.at(-1)
    if (last !== undefined && last[1] === cpu - 1) last[1] = cpu
    else ranges.push([cpu, cpu])
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(',')
}

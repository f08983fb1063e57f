const PART = /^\s*(\^?)(\d{1,4})(?:-(\d{1,4}))?\s*$/

/**
 * CPUs of a list as nova.conf and the kernel write it: `0-12,^8,15`. Parts that are none are left out.
 * Source: nova/virt/hardware.py parse_cpu_spec, which takes exclusions off at the end.
 */
export const parseCpuSet = (text: string): Set<number> => {
  const cpus = new Set<number>()
  const excluded = new Set<number>()
  for (const part of text.split(',')) {
    const match = PART.exec(part)
    if (match === null) continue
    const into = match[1] === '^' ? excluded : cpus
    for (let cpu = Number(match[2]); cpu <= Number(match[3] ?? match[2]); cpu++) into.add(cpu)
  }
  for (const cpu of excluded) cpus.delete(cpu)
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

/** A GPU instance of MIG and the profile that it was created with. */
export type GpuInstance = { id: number; profile: string; profileId: number }

/** Printed, with status 6, when there is none; another text means that the query failed. */
export const NO_INSTANCES = /^No (GPU instances|MIG-enabled devices) found/m

const ROW = /^\|\s*(\d+)\s+MIG\s+(\S+)\s+(\d+)\s+(\d+)\s+\d+:\d+\s*\|/

/**
 * Reads the table of `nvidia-smi mig -lgi`, `|   0  MIG 1g.5gb   19   11   0:1 |`, by nvidia-smi's index of the GPU. Null when
 * it is no such table.
 */
export const parseGpuInstances = (text: string): Map<number, GpuInstance[]> | null => {
  if (!NO_INSTANCES.test(text) && !/^\|\s*GPU instances:/m.test(text)) return null
  const instances = new Map<number, GpuInstance[]>()
  for (const line of text.split('\n')) {
    const [, index, profile, profileId, id] = ROW.exec(line) ?? []
    if (index === undefined || profile === undefined) continue
    const held = instances.get(Number(index)) ?? []
    instances.set(Number(index), [...held, { id: Number(id), profile, profileId: Number(profileId) }])
  }
  return instances
}

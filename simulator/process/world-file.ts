import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { FleetHost } from '@/simulator/world/fleet-host'
import type { SavedWorld } from '@/simulator/world/world'

/** Changes with the fleet's definition, so that a world of an older simulator is not taken up again. */
export const fleetFingerprint = (fleet: FleetHost[]): string =>
  createHash('sha256').update(JSON.stringify(fleet)).digest('hex').slice(0, 16)

const fileIn = (directory: string): string => path.join(directory, 'world.json')

/** Null when there is none, or one of another fleet. */
export const loadWorld = (directory: string, fingerprint: string): SavedWorld | null => {
  const file = fileIn(directory)
  if (!existsSync(file)) return null
  // Written by saveWorld alone and renamed into place whole; the fingerprint proves that it has the current shape.
  const saved = JSON.parse(readFileSync(file, 'utf8')) as { fingerprint: string; world: SavedWorld }
  return saved.fingerprint === fingerprint ? saved.world : null
}

export const saveWorld = (directory: string, fingerprint: string, world: SavedWorld): void => {
  mkdirSync(directory, { recursive: true })
  const scratch = `${fileIn(directory)}.new`
  writeFileSync(scratch, JSON.stringify({ fingerprint, world }))
  renameSync(scratch, fileIn(directory))
}

import { SHAPE_COUNT } from './host-shapes'

/** Every second host, and of every shape every second. Its last report is two days old. */
export const isSilentHost = (host: number): boolean => (host + Math.floor(host / SHAPE_COUNT)) % 2 === 1

export const SILENT_FOR_MS = 2 * 86_400_000

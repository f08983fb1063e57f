import 'server-only'
import { createHostMemory, type HostMemory } from '@/lib/domain/host/host-memory'
import { createRowMemory, type RowMemory } from './row-builder'

/** What was made of a host's last report: the next one takes from it whatever did not change. */
export type ReportMemory = { host: HostMemory; rows: RowMemory }

export const createReportMemory = (): ReportMemory => ({ host: createHostMemory(), rows: createRowMemory() })

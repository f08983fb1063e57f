import 'server-only'
import { createHostMemory, type HostMemory } from '@/lib/domain/host/host-memory'

/** What was made of a host's last report: the next one takes from it whatever did not change. */
export type ReportMemory = { host: HostMemory }

export const createReportMemory = (): ReportMemory => ({ host: createHostMemory() })

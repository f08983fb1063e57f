import { route } from '@/lib/server/http/route'
import { listClouds } from '@/lib/services/cloud/list-clouds'

export const dynamic = 'force-dynamic'

export const GET = route({}, ({ ctx }) => listClouds(ctx))

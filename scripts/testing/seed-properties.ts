import fc from 'fast-check'
import { SEED_VARIABLE } from './property-seed'

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env[SEED_VARIABLE]) })

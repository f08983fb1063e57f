/** How Node.js runs the built server, in `npm start` as in the demo and the benchmarks: lib/server/process/young-generation.ts. */
export const SERVER_FLAGS = ['--min-semi-space-size=16', '--max-semi-space-size=64']

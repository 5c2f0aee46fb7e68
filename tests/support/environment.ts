/**
 * The environment of a program that a test starts: these options, and no variables of the machine. The folder for compiled
 * code goes along, so that sources are not compiled anew for each start.
 */
export function cleanEnvironment(options: Record<string, string> = {}): Record<string, string> {
  const cache = process.env['NODE_COMPILE_CACHE']
  return { PATH: process.env['PATH'] ?? '', ...(cache !== undefined && { NODE_COMPILE_CACHE: cache }), ...options }
}

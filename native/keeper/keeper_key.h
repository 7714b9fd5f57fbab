/* The keys by which the keeper knows what it holds. */
#ifndef NOUND_KEEPER_KEY_H
#define NOUND_KEEPER_KEY_H

#define KEEPER_KEY_SIZE 200 /* bytes of a key with its end */

#endif

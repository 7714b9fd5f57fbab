/*
 * A linked list whose links are embedded in its members (owner.h leads from one to the other). The newest member is the
 * first. A link knows the pointer that leads to it, so that a member leaves without its list.
 */
#ifndef NOUND_LIST_H
#define NOUND_LIST_H

struct list_link {
    struct list_link *next, **from;
};

/* Adds a link that is in no list before the first one. */
static inline void list_add(struct list_link **first, struct list_link *link) {
    link->next = *first;
    link->from = first;
    if (link->next)
        link->next->from = &link->next;
    *first = link;
}

/* Removes a link from its list. */
static inline void list_remove(struct list_link *link) {
    *link->from = link->next;
    if (link->next)
        link->next->from = link->from;
}

#endif
